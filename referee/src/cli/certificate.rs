//! `init --tls`: a certificate that signs itself, its key, and an event that uses them.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use jiff::{ToSpan as _, Zoned, civil::Date};
use rcgen::{
    CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use referee::config::TEMPLATE;

use super::print::print;
use crate::exit_status::ExitStatus;

/// How long a new certificate is valid, in years.
const YEARS: i32 = 2;

/// The setting of the template that is switched on, and the one that is changed, because TLS is for
/// players on other machines.
const TLS_SETTING: &str =
    "# tls = { certificate = \"event.crt\", key = \"event.key\" }   # example";
const LISTEN: [&str; 2] = ["listen = \"127.0.0.1:5001\"", "listen = \"0.0.0.0:5001\""];

/// Writes an event file with a certificate and a key beside it. The certificate is for this machine's
/// name, `localhost` and `hosts`.
pub fn init(event: &Path, hosts: &[String]) -> anyhow::Result<ExitStatus> {
    let files = Files::beside(event);
    if event == files.certificate || event == files.key {
        bail!(
            "{} is the name of a file that --tls writes; an event file ends in .toml",
            event.display()
        );
    }
    for path in [event, &files.certificate, &files.key] {
        if path.exists() {
            bail!("{} exists already", path.display());
        }
    }
    let own = gethostname::gethostname().into_string().ok();
    let mut names: Vec<String> = Vec::new();
    let local = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    for name in hosts.iter().cloned().chain(own).chain(local) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let until = files.write(&names)?;
    create(event, &event_text(&files)?, 0o644)?;
    let first = match names[0].parse::<std::net::Ipv6Addr>() {
        Ok(address) => format!("[{address}]"),
        Err(_) => names[0].clone(),
    };
    let certificate = files.certificate.display();
    print(&format!(
        "{}: the event; players without a token need a password (--password-file) to join it\n\
         {}: the private key, which stays on this machine\n\
         {certificate}: the certificate for {}, valid until {until}\n\n\
         Give each player a copy of {certificate}, which is no secret. A player connects with\n\
         epode client {first}:5001 --tls --ca {} --name NAME --password-file FILE",
        event.display(),
        files.key.display(),
        names.join(", "),
        file_name(&files.certificate)?,
    ));
    Ok(ExitStatus::Finished)
}

/// The files of a certificate.
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

impl Files {
    fn beside(event: &Path) -> Self {
        Self {
            certificate: event.with_extension("crt"),
            key: event.with_extension("key"),
        }
    }

    /// Writes a new certificate for these names, and its key; returns the last day on which it is valid.
    fn write(&self, names: &[String]) -> anyhow::Result<Date> {
        let key = KeyPair::generate().context("cannot make a key")?;
        let mut certificate = CertificateParams::new(names).context("cannot make a certificate")?;
        let mut subject = DistinguishedName::new();
        subject.push(DnType::CommonName, &names[0]);
        certificate.distinguished_name = subject;
        certificate.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        certificate.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let today = Zoned::now().date();
        let midnight = |date: Date| {
            let (month, day) = (date.month().cast_unsigned(), date.day().cast_unsigned());
            date_time_ymd(date.year().into(), month, day)
        };
        // The clocks of players may be behind.
        certificate.not_before = midnight(today.checked_sub(1.day())?);
        let until = today.checked_add(YEARS.years())?;
        certificate.not_after = midnight(until);
        let certificate = certificate.self_signed(&key)?;
        create(&self.key, &key.serialize_pem(), 0o600)?;
        create(&self.certificate, &certificate.pem(), 0o644)?;
        Ok(until)
    }
}

fn file_name(path: &Path) -> anyhow::Result<&str> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.with_context(|| format!("{} is not UTF-8", path.display()))
}

/// The template with TLS.
fn event_text(files: &Files) -> anyhow::Result<String> {
    let quoted = |path| anyhow::Ok(toml::Value::String(file_name(path)?.to_owned()).to_string());
    let setting = format!(
        "tls = {{ certificate = {}, key = {} }}",
        quoted(&files.certificate)?,
        quoted(&files.key)?
    );
    let text = TEMPLATE.replacen(TLS_SETTING, &setting, 1);
    Ok(text.replacen(LISTEN[0], LISTEN[1], 1))
}

/// Creates a file that only those may read whom its mode allows to.
fn create(path: &Path, text: &str, mode: u32) -> anyhow::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    let file = options.open(path);
    let mut file = file.with_context(|| format!("cannot create {}", path.display()))?;
    file.write_all(text.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_with_tls_is_an_event() {
        let files = Files::beside(Path::new("a \"b\".toml"));
        let text = event_text(&files).expect("a text");
        let config = referee::config::Config::read(&text).expect("sound");
        let tls = config.tls.expect("there");
        assert_eq!(tls.certificate, Path::new("a \"b\".crt"));
        assert_eq!(tls.key, Path::new("a \"b\".key"));
        assert_eq!(config.listen, "0.0.0.0:5001");
    }
}

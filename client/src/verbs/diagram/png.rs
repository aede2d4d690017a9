//! SVG as PNG.

use std::sync::{Arc, OnceLock};

use anyhow::{Context, bail};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// The greatest number of pixels, which take 4 bytes each.
const MOST_PIXELS: u64 = 100_000_000;

/// Draws an SVG file. Text is in the font of this program, so that pictures are the same on every machine,
/// and need no fonts there.
pub fn render(svg: &str) -> anyhow::Result<Vec<u8>> {
    let options = Options {
        font_family: "DejaVu Sans".to_owned(),
        fontdb: fonts(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).context("cannot draw the SVG")?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width(), size.height());
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        bail!(
            "a PNG of {width} x {height} pixels is too large, expected at most {MOST_PIXELS} pixels \
             (choose a smaller --size or --per-page)"
        );
    }
    let mut pixels = Pixmap::new(width, height).context("the PNG is empty")?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}

fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(include_bytes!("font/DejaVuSans.ttf").to_vec());
        fonts.set_sans_serif_family("DejaVu Sans");
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}

//! Questions that are asked before an order is given.

use referee::event::Order;

/// A question with the orders that are its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub text: String,
    pub choices: Vec<Choice>,
    /// What the user goes on typing who wants to say more, such as a reason.
    pub template: String,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub key: char,
    pub label: String,
    pub order: String,
}

impl Question {
    /// A question that is answered by yes or no.
    pub fn new(text: String, order: &Order) -> Self {
        let order = order.to_string();
        Self {
            text,
            template: format!("{order} --reason "),
            choices: vec![Choice {
                key: 'y',
                label: "yes".to_owned(),
                order,
            }],
        }
    }
}

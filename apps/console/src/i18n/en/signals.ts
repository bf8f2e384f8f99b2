/** What may be abuse. */
export const signals = {
  title: "Signals",
  about:
    "Events that may be abuse. A signal proves nothing and blocks nothing. Look at the orders and ask the members before you decide.",
  kinds: "Kinds of signals",
  kind: {
    retaken_place: {
      title: "Retaken places",
      meaning:
        "A refund freed a place of an open cycle, and an order with a larger base holds the place now. In this way, a small order can reserve a place with a high ratio for a large one.",
      advice:
        "Compare the buyers, the times and the reason of the refund. A signal ends when the larger order is refunded completely while the cycle is open.",
      empty: "No larger order holds a place that a refund freed.",
    },
    shared_order: {
      title: "Same payer or address",
      meaning:
        "The order was paid with a WeChat account of the buyer's referrer, or sent to an address of the referrer. Some people refer themselves with a second account.",
      advice:
        "Families and colleagues share payers and addresses, too. Look for a referrer with many such orders. The WeChat accounts of a referrer are those with which they sign in or have paid. Only region and street of an address are compared, and only the last 100 orders of a referrer.",
      empty: "No order shares payer or address with the buyer's referrer.",
    },
    sign_up_burst: {
      title: "Bursts of sign-ups",
      meaning:
        "At least 20 members signed up under one referrer in less than an hour. Some people invent members to complete tasks.",
      advice:
        "An event or a post with the share link has the same effect. Check whether these members place orders, and where the orders are sent. At most 1,000 members of a burst are counted.",
      empty: "No referrer had 20 sign-ups in less than an hour.",
    },
    shared_person: {
      title: "Same person",
      meaning:
        "Several members gave the same document as their real name. Some people keep several accounts to refer themselves.",
      advice:
        "Look at who referred whom, and whether the orders were sent to one address. Documents are compared without being decrypted; while a key is replaced, some are not found until all are encrypted anew.",
      empty: "No document was given by several members.",
    },
    shared_account: {
      title: "Same payout account",
      meaning: "Several members have the same account at a bank or at Alipay, so their commission goes to one person.",
      advice:
        "Couples share accounts, too. Compare the members' referrers and orders. Accounts that a member has deleted count if money was paid to them.",
      empty: "No account is that of several members.",
    },
    reserved_stock: {
      title: "Reserved stock",
      meaning:
        "Unpaid orders hold a large part of the stock of a product: at least the share that one member can hold by the settings. Some people take goods off sale in this way without ever paying.",
      advice:
        "A sale or a popular product has the same effect. Look at the members who hold the units and at what they have paid before. Cancelled or expired orders give the stock back; the settings of orders limit how much a member can hold, and for how long.",
      empty: "Unpaid orders hold no large part of a stock.",
    },
  },
  whatToDo:
    "What you can do: refund an order, which takes back its commission and points; exclude a member from assessment, so that their orders count for nobody's tasks; set a level and hold it; refuse a withdrawal; adjust a balance. Each of these is in the action log.",
  searching: "Looking further back…",
  emptyPage: "There are no earlier signals.",
  examinedTo: "Examined back to {{time}}.",
  place: "Cycle {{cycle}}, place {{place}}",
  earner: "Earner",
  freed: "Refunded order",
  taken: "Larger order",
  buyer: "Buyer",
  shared: "Shared with the referrer",
  samePayer: "Payer",
  sameAddress: "Address",
  paid: "Paid",
  paidAt: "Paid at",
  signUps: "Sign-ups",
  first: "First",
  last: "Last",
  who: "Members",
  show: "Show",
  product: "Product",
  left: "Left",
  reserved: "Reserved",
  orders: "Unpaid orders",
  since: "Oldest order",
  sharedThing: { shared_person: "Document", shared_account: "Account" },
  firstMembers: "The first 20",
};

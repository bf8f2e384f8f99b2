/** The commission cycle of a member. */
export const plans = {
  title: "Commission cycle",
  total: "Total commission",
  places_one: "from {{count}} order",
  places_other: "from {{count}} orders",
  notEligible: {
    title: "You do not earn commission yet",
    advice:
      "Buy a product marked “Earns commission”. After that, you earn commission on the orders of people whom you refer.",
    action: "See the products",
  },
  cycle: "Cycle {{number}}",
  place: { taken: "Paid", next: "Next", open: "Open" },
  remaining_one: "{{count}} place is left in this cycle. Then the next cycle begins.",
  remaining_other: "{{count}} places are left in this cycle. Then the next cycle begins.",
  rules: "How it works",
  people: "Places in a cycle",
  nextRatio: "The next order pays",
  scope: {
    name: "Who pays you",
    direct: "Your direct members",
    umbrella: "Your downline, if nobody nearer is eligible",
  },
  timing: { name: "When", on_pay: "When the order is paid", confirm: "When the order is received" },
  explanation: "Each order takes one place. Its ratio is applied to what was paid for products that earn commission.",
};

/** What a member could earn, and has earned this month. */
export const prospects = {
  title: "What you could earn",
  estimate:
    "These amounts are estimates: today's plan, for one unit. What an order pays is decided when it is settled.",
  points: "{{points}} points",
  start: {
    title: "Three steps to your first commission",
    buy: "Buy a product that pays commission: from then on you can earn",
    share: "Share your poster, and invite others",
    see: "See what their orders would bring you",
  },
  next: {
    title: "What the next order pays",
    ratio: "Your ratio now, with the store's cap",
    none: "No product that earns commission is on sale.",
    belowMinimum: "below the minimum for commission",
  },
  near: {
    title: "One order away from a level",
    text: "The next order, at best by a new direct member of theirs, can raise them to the next level.",
    none: "Nobody in your team is one order away from the next level.",
    all: "Look through the whole team",
  },
  month: {
    title: "Your month",
    month: "Month",
    commission: "Commission",
    points: "Points",
    commissionByDay: "Commission by day, {{amount}} in all",
    pointsByDay: "Points by day, {{points}} in all",
    byDay: "Day by day",
    nothing: "Orders have earned you nothing in this month.",
  },
  share: "Share your poster",
};

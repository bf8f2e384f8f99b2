/** Points and their release. */
export const release = {
  title: "Points",
  available: "Available points",
  frozen: "Frozen",
  today: "Today's release",
  earned: "Total points",
  forecast: "Forecast",
  after: "After {{duration}}",
  half: "Half is released after about",
  none: "You have no frozen points. Orders of people whom you refer grant you new ones.",
  explanation:
    "Every day, a small part of your frozen points becomes available. The forecast assumes that none are added.",
  history: "Past releases",
};

/** Points and their release. */
export const release = {
  title: "Points",
  available: "Available points",
  frozen: "Frozen",
  today: "Today's release",
  earned: "Total points",
  forecast: "Forecast",
  afterDays_one: "After {{count}} day",
  afterDays_other: "After {{count}} days",
  half: "Half is released after",
  days_one: "{{count}} day",
  days_other: "{{count}} days",
  none: "You have no frozen points. Orders of people whom you refer grant you new ones.",
  explanation: "Every day, a small part of your frozen points becomes available. The forecast assumes that none are added.",
  history: "Past releases",
};

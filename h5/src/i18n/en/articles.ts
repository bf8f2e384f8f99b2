/** The article before signing in. */
export const articles = {
  title: "Read first",
  continue: "I have read this. Continue",
  by: "By {{author}}",
  more: "Read more",
};

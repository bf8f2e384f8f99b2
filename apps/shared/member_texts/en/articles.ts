/** The article before signing in, and the page of an article. */
export const articles = {
  title: "Read first",
  article: "Article",
  continue: "I have read this. Continue",
  by: "By {{author}}",
  more: "Read more",
};

const storageKey = "store-h5-referrer";

/** Stores the referrer that the share link names until the visitor signs up. A later link replaces it. */
export function rememberReferrer(): void {
  const uid = new URLSearchParams(location.search).get("spread") ?? "";
  if (/^[1-9]\d{0,15}$/.test(uid)) localStorage.setItem(storageKey, uid);
}

/** The member whose share link was opened in this browser. */
export function referrer(): number | undefined {
  const uid = Number(localStorage.getItem(storageKey));
  return uid > 0 ? uid : undefined;
}

/** Removes the referrer after a sign-up, or if the member already has one. */
export function forgetReferrer(): void {
  localStorage.removeItem(storageKey);
}

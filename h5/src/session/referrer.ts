const storageKey = "store-h5-referrer";

/** Keeps the referrer that the share link names, until somebody signs up. The last link counts. */
export function rememberReferrer(): void {
  const uid = new URLSearchParams(location.search).get("spread") ?? "";
  if (/^[1-9]\d{0,15}$/.test(uid)) localStorage.setItem(storageKey, uid);
}

/** The member whose share link was opened in this browser. */
export function referrer(): number | undefined {
  const uid = Number(localStorage.getItem(storageKey));
  return uid > 0 ? uid : undefined;
}

/** A member has signed up with the referrer, or has had another one before. */
export function forgetReferrer(): void {
  localStorage.removeItem(storageKey);
}

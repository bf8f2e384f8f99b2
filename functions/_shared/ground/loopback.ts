/** Whether an address leads to this machine. */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(new URL(url).hostname);
}

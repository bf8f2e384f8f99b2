/**
 * Scripts come from the site's own address only; pictures of products and articles may be anywhere. By plain http, too:
 * a store in an office may have no certificate, and on a page by https the browser itself refuses what is not.
 * @param connect where it may send requests to: its own address, or that of a project which is known when it runs only
 */
function policy(connect: string): string[] {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https: http:",
    `connect-src ${connect}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
  ];
}

// What a page says about who may frame it is heard in a header only.
const unframed = "frame-ancestors 'none'";

/** In the page itself: it holds on every host. */
export const metaPolicy = policy("'self' https: http:").join("; ");

/** Of the local stack, where page and API have one address. */
export const localPolicy = [...policy("'self'"), unframed].join("; ");

/** Headers for hosts that read a file of them, such as Netlify and Cloudflare Pages. */
export const headersFile = `/*
  Content-Security-Policy: ${metaPolicy}; ${unframed}
  X-Frame-Options: DENY
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
/assets/*
  Cache-Control: public, max-age=31536000, immutable
`;

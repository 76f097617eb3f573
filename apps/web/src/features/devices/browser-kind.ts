export type BrowserKind = 'chromium' | 'firefox' | 'safari' | 'phone'

/**
 * The kind of browser, for the picture of "where to click". On phones every browser has the site's settings behind the
 * address.
 */
export function browserKind(agent: string): BrowserKind {
  if (/android|iphone|ipad|mobile/i.test(agent)) return 'phone'
  if (/firefox/i.test(agent)) return 'firefox'
  return /safari/i.test(agent) && !/chrom|edg/i.test(agent) ? 'safari' : 'chromium'
}

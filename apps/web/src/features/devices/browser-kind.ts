export type BrowserKind = 'chromium' | 'firefox' | 'safari' | 'phone'

/** The kind of browser, for the picture of "where to click"; phones have the site's settings behind the address in every browser. */
export function browserKind(agent: string): BrowserKind {
  if (/android|iphone|ipad|mobile/i.test(agent)) return 'phone'
  if (/firefox/i.test(agent)) return 'firefox'
  return /safari/i.test(agent) && !/chrom|edg/i.test(agent) ? 'safari' : 'chromium'
}

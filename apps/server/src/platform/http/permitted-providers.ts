import type { FastifyReply } from 'fastify'

/** The page of verification, with the language in front or without. */
const VERIFICATION_PAGE = /^(?:\/[a-z]{2})?\/verification\/?$/
/**
 * Documents that never load the script of another server, of a captcha provider or of the service of fingerprints: there a user shows documents, sets a password by a mailed
 * link, or is staff. Answers of the API load nothing at all, and the frame of statistics has its own policy. A captcha that is asked for there is the built-in one.
 */
const WITHOUT_FOREIGN_SCRIPTS =
  /^(?:\/[a-z]{2})?\/(?:verification|recovery|confirm|unsubscribe|office|api|media|statistics)(?:\/|$)/
const CAPTCHA_DIRECTIVES = ['script-src', 'style-src', 'connect-src', 'frame-src']
/** Scripts of other servers build their elements from texts; a browser would refuse that. */
const TRUSTED_TYPES = /;?(?:require-trusted-types-for|trusted-types) [^;]*/g

/** The providers that a document may load from beside this server. */
export interface Providers {
  readonly captcha_sources: readonly string[]
  readonly fingerprint_sources:
    | { readonly scripts: readonly string[]; readonly connections: readonly string[] }
    | undefined
  /** The frame of statistics is of this origin. */
  readonly has_statistics: boolean
  /** The provider of identity checks. */
  readonly frame_origin: string | undefined
}

/**
 * Adds the providers to the policy of the documents that may need them. A page that the application opens without loading a
 * document keeps the policy of its document.
 */
export function permitProviders(
  reply: FastifyReply,
  path: string,
  { captcha_sources, fingerprint_sources, has_statistics, frame_origin }: Providers,
): void {
  const isForeign = captcha_sources.length > 0 || fingerprint_sources !== undefined
  if (isForeign && !WITHOUT_FOREIGN_SCRIPTS.test(path)) {
    changePolicy(reply, (policy) => policy.replaceAll(TRUSTED_TYPES, ''))
    if (captcha_sources.length > 0)
      for (const directive of CAPTCHA_DIRECTIVES) addSources(reply, directive, captcha_sources)
    if (fingerprint_sources) {
      addSources(reply, 'script-src', fingerprint_sources.scripts)
      addSources(reply, 'connect-src', fingerprint_sources.connections)
    }
  }
  if (has_statistics && !WITHOUT_FOREIGN_SCRIPTS.test(path))
    addSources(reply, 'frame-src', ["'self'"])
  if (frame_origin !== undefined && VERIFICATION_PAGE.test(path))
    permitProviderFrame(reply, frame_origin)
}

/** The one document that may show the provider of identity checks in a frame, which uses the camera there. */
function permitProviderFrame(reply: FastifyReply, origin: string): void {
  addSources(reply, 'frame-src', [origin])
  reply.header(
    'Permissions-Policy',
    `camera=(self "${origin}"), microphone=(self "${origin}"), geolocation=(), payment=(self)`,
  )
}

function addSources(reply: FastifyReply, directive: string, sources: readonly string[]): void {
  changePolicy(reply, (policy) =>
    policy.replace(new RegExp(`${directive} ([^;]*)`), (_, present: string) =>
      [directive, ...(present === "'none'" ? [] : [present]), ...sources].join(' '),
    ),
  )
}

function changePolicy(reply: FastifyReply, change: (policy: string) => string): void {
  const policy = String(reply.getHeader('Content-Security-Policy') ?? '')
  reply.header('Content-Security-Policy', change(policy))
}

import type { FastifyReply } from 'fastify'

/** The page of verification, with the language in front or without. */
const VERIFICATION_PAGE = /^(?:\/[a-z]{2})?\/verification\/?$/

/**
 * The one document that may show the provider of identity checks in a frame, which uses the camera there. Every other page
 * frames nothing; a page that the application opens without loading a document keeps the policy of its document.
 */
export function permitProviderFrame(reply: FastifyReply, path: string, origin: string): void {
  if (!VERIFICATION_PAGE.test(path)) return
  const policy = String(reply.getHeader('Content-Security-Policy') ?? '').replace(
    /frame-src ([^;]*)/,
    // A captcha provider keeps its place.
    (_, sources: string) => `frame-src ${sources === "'none'" ? '' : `${sources} `}${origin}`,
  )
  reply
    .header('Content-Security-Policy', policy)
    .header(
      'Permissions-Policy',
      `camera=(self "${origin}"), microphone=(self "${origin}"), geolocation=(), payment=(self)`,
    )
}

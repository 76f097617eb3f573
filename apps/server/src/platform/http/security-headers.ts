import type { FastifyHelmetOptions } from '@fastify/helmet'
import type { Config } from '../../config.ts'

/** The policies of `packages/client/src/page/trusted-scripts.ts`. */
const TRUSTED_TYPES_POLICIES = ['duet', 'default']

/** Allows scripts from our own origin and the hashed inline ones of our own pages; no framing. */
export function securityHeaders(
  config: Config,
  inlineScripts: readonly string[],
): FastifyHelmetOptions {
  const tls = config.origins.every((origin) => origin.startsWith('https://'))
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: [
          "'self'",
          "'wasm-unsafe-eval'",
          ...inlineScripts.map((hash) => `'sha256-${hash}'`),
        ],
        // Styles in attributes and in the prerendered head; no style can reach out, images and fonts are bounded below.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:', 'mediastream:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...config.origins.map((origin) => origin.replace(/^http/, 'ws'))],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: ["'none'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // No text becomes markup or script; the clients name their workers by a policy (`packages/client/src/page/trusted-scripts.ts`).
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: TRUSTED_TYPES_POLICIES,
      },
    },
    // The second window of the demo is on the other loopback origin and asks its opener which user it is.
    crossOriginOpenerPolicy: { policy: config.demo ? 'unsafe-none' : 'same-origin-allow-popups' },
    crossOriginResourcePolicy: { policy: 'same-site' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: tls ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
  }
}

import { createHmac } from 'node:crypto'
import type { AppContext } from '../../core/app.ts'
import { keyFor } from '../../lib/derived-key.ts'
import { toNetwork } from '../../platform/http/client-address.ts'
import type { SignalType } from './signal-types.ts'

/** A value by which the client of a request can be recognised, as it is stored: a keyed hash. */
export interface ClientSignal {
  readonly signal: SignalType
  readonly value_hash: Buffer
}

/** The client of a request, with hashed fingerprints. Null: the client sent no fingerprint. */
export interface FingerprintedClient {
  readonly address: string
  readonly fingerprint: string | null
  readonly pro_fingerprint: string | null
}

/** The same text has another hash for another signal, so that no fingerprint can pass as a network. */
function digest(app: AppContext, signal: SignalType, text: string): Buffer {
  return createHmac('sha256', keyFor(app.config, 'client signals'))
    .update(`${signal}\n${text}`)
    .digest()
}

/** The form in which a fingerprint is kept from its arrival on: nothing stores what the browser sent. */
export function fingerprintHash(
  app: AppContext,
  signal: 'fingerprint' | 'pro_fingerprint',
  sent: string,
): string {
  return digest(app, signal, sent).toString('base64url')
}

export function passkeySignal(app: AppContext, passkey_id: string): ClientSignal {
  return { signal: 'passkey', value_hash: digest(app, 'passkey', passkey_id) }
}

export function listSignals(
  app: AppContext,
  { address, fingerprint, pro_fingerprint }: FingerprintedClient,
): ClientSignal[] {
  const network = toNetwork(address)
  return [
    { signal: 'network', value_hash: digest(app, 'network', network) },
    ...(fingerprint === null
      ? []
      : ([
          { signal: 'fingerprint', value_hash: Buffer.from(fingerprint, 'base64url') },
          { signal: 'device', value_hash: digest(app, 'device', `${network}\n${fingerprint}`) },
        ] as const)),
    ...(pro_fingerprint === null
      ? []
      : ([
          { signal: 'pro_fingerprint', value_hash: Buffer.from(pro_fingerprint, 'base64url') },
        ] as const)),
  ]
}

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { PasskeyAnswer } from '@duet/protocol'

interface Lie {
  readonly domain?: string
  readonly is_verified?: boolean
}

/** A device with one passkey, as a browser answers for it; a `Lie` changes what it signs. */
export interface PasskeyDevice {
  create(question: Record<string, unknown>, lie?: Lie): PasskeyAnswer
  answer(question: Record<string, unknown>, lie?: Lie): PasskeyAnswer
}

const PRESENT = 0x01
const VERIFIED = 0x04
const WITH_KEY = 0x40

export function createPasskeyDevice(origin: string): PasskeyDevice {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = 0

  const clientData = (type: string, { challenge }: Record<string, unknown>) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const head = ({ domain = new URL(origin).hostname, is_verified = true }: Lie, flags = 0) => {
    counter += 1
    const bytes = Buffer.alloc(5)
    bytes.writeUInt8(PRESENT | (is_verified ? VERIFIED : 0) | flags)
    bytes.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(domain).digest(), bytes])
  }
  const answerWith = (response: object): PasskeyAnswer => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    clientExtensionResults: {},
    response,
  })

  return {
    create(question, lie = {}) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const key = cosePublicKey(publicKey.export({ format: 'jwk' }))
      const data = Buffer.concat([head(lie, WITH_KEY), Buffer.alloc(16), length, id, key])
      return answerWith({
        clientDataJSON: clientData('webauthn.create', question).toString('base64url'),
        attestationObject: attestation(data).toString('base64url'),
        transports: ['internal'],
      })
    },
    answer(question, lie = {}) {
      const client = clientData('webauthn.get', question)
      const data = head(lie)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return answerWith({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      })
    },
  }
}

/** CBOR `{ 1: 2, 3: -7, -1: 1, -2: x, -3: y }`: an ES256 key. */
function cosePublicKey({ x, y }: { x?: string; y?: string }): Buffer {
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x!, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y!, 'base64url'),
  ])
}

/** CBOR `{ fmt: "none", attStmt: {}, authData }`. */
function attestation(data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
    Buffer.from([data.length]),
    data,
  ])
}

/** Packets of docs/wire.md over WebCrypto: base64(iv[12] ‖ AES-256-GCM ‖ tag[16]). */
const IV_BYTES = 12
/** String.fromCharCode takes its arguments on the stack, so the length of a piece is limited. */
const PIECE_BYTES = 8192

export type PacketKey = CryptoKey

/** Imports a base64 key of 32 bytes. */
export function importKey(base64: string): Promise<PacketKey> {
  return crypto.subtle.importKey('raw', fromBase64(base64), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])
}

/** Seals a value. Throws on undefined, null and the empty string. */
export async function seal(key: PacketKey, value: unknown): Promise<string> {
  if (value === undefined || value === null || value === '')
    throw new Error('A packet is never empty')
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const body = new Uint8Array(
    await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv },
      key,
      new TextEncoder().encode(JSON.stringify(value)),
    ),
  )
  const packet = new Uint8Array(IV_BYTES + body.length)
  packet.set(iv)
  packet.set(body, IV_BYTES)
  return toBase64(packet)
}

/** Opens a packet. Rejects if the packet was not sealed with this key. */
export async function open(key: PacketKey, packet: string): Promise<unknown> {
  const bytes = fromBase64(packet)
  const plain = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: bytes.subarray(0, IV_BYTES) },
    key,
    bytes.subarray(IV_BYTES),
  )
  return JSON.parse(new TextDecoder().decode(plain))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i)
  return bytes
}

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let i = 0; i < bytes.length; i += PIECE_BYTES)
    binary += String.fromCharCode(...bytes.subarray(i, i + PIECE_BYTES))
  return btoa(binary)
}

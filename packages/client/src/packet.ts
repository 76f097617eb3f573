/** Packets of `wire.md` section 2 over WebCrypto, for browsers, bots and tests: base64(iv[12] ‖ AES-256-GCM ‖ tag[16]). */
const iv_bytes = 12

export type PacketKey = CryptoKey

/** Imports a base64 key of 32 bytes. */
export function importKey(base64: string): Promise<PacketKey> {
  return crypto.subtle.importKey('raw', fromBase64(base64), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])
}

/** Seals a value; throws on an empty one. */
export async function seal(key: PacketKey, value: unknown): Promise<string> {
  if (value === undefined || value === null || value === '')
    throw new Error('A packet is never empty')
  const iv = crypto.getRandomValues(new Uint8Array(iv_bytes))
  const body = new Uint8Array(
    await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv },
      key,
      new TextEncoder().encode(JSON.stringify(value)),
    ),
  )
  const packet = new Uint8Array(iv_bytes + body.length)
  packet.set(iv)
  packet.set(body, iv_bytes)
  return toBase64(packet)
}

/** Opens a packet; rejects when it was not sealed with this key. */
export async function open(key: PacketKey, packet: string): Promise<unknown> {
  const bytes = fromBase64(packet)
  const plain = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: bytes.subarray(0, iv_bytes) },
    key,
    bytes.subarray(iv_bytes),
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
  // String.fromCharCode takes its arguments on the stack: pieces keep it shallow.
  for (let i = 0; i < bytes.length; i += 8192)
    binary += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(binary)
}

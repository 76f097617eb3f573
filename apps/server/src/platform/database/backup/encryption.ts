import { open, readFile } from 'node:fs/promises'
import { Decrypter, Encrypter } from 'age-encryption'
import { StartRefused } from '../../../lib/configuration/start-refused.ts'

/** The first line of every file in the format of age. */
const MAGIC = 'age-encryption.org/v1\n'
const IDENTITY = /^AGE-SECRET-KEY-1[A-Z0-9]+$/m

/**
 * Encrypts for the owners of the given public keys. The server has no key that decrypts its own backups, so
 * a thief of the machine and its backups cannot read them.
 */
export async function* encrypted(
  source: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  yield* await encrypter.encrypt(ReadableStream.from(source))
}

/** @throws StartRefused when the key does not open the file */
export async function* decrypted(
  source: AsyncIterable<Uint8Array>,
  file: string,
  identity: string,
): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const stream = await decrypter
    .decrypt(ReadableStream.from(source))
    .catch(() => refuse(`${file} is damaged, or was encrypted for another key.`))
  try {
    yield* stream
  } catch {
    refuse(`${file} is not a complete backup of Duet: it is damaged or incomplete.`)
  }
}

export async function isEncrypted(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
    return buffer.subarray(0, bytesRead).toString('latin1') === MAGIC
  } finally {
    await handle.close()
  }
}

/** Reads a secret key as `age-keygen` writes it, with comments around it. @throws StartRefused */
export async function readIdentity(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => refuse(`There is no file ${file}.`))
  return IDENTITY.exec(text)?.[0] ?? refuse(`${file} has no secret key of age.`)
}

function refuse(sentence: string): never {
  throw new StartRefused(sentence)
}

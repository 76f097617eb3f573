import { deepEqual, equal, notEqual, throws } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { DocumentKeys } from './document-keys.ts'
import { createFileKeys } from './file-keys.ts'
import { createGivenKeys } from './given-keys.ts'
import { parseKey } from '../../lib/cipher.ts'

const folder = mkdtempSync(join(tmpdir(), 'duet-keys-'))
after(() => rmSync(folder, { recursive: true }))
const newFile = () => join(folder, `${randomBytes(4).toString('hex')}.key`)

const forms: readonly (readonly [string, () => DocumentKeys])[] = [
  ['given keys', () => createGivenKeys([randomBytes(32), randomBytes(32)])],
  ['a file', () => createFileKeys(newFile(), { must_exist: false })],
]
for (const [form, create] of forms) {
  test(`${form}: a wrapped key opens for its own document only, and not after a change`, () => {
    const keys = create()
    const dataKey = randomBytes(32)
    const wrapped = keys.wrap(dataKey, 'document 1')
    deepEqual(keys.unwrap(wrapped, 'document 1'), dataKey)
    equal(keys.unwrap(wrapped, 'document 2'), undefined)
    equal(keys.unwrap({ ...wrapped, key_id: '0000000000000000' }, 'document 1'), undefined)
    for (let at = 0; at < wrapped.wrapped_key.length; at += 1) {
      const changed = Buffer.from(wrapped.wrapped_key)
      changed[at]! ^= 1
      equal(keys.unwrap({ ...wrapped, wrapped_key: changed }, 'document 1'), undefined)
    }
    equal(wrapped.key_id, keys.currentId())
    notEqual(
      keys.wrap(dataKey, 'document 1').wrapped_key.toString('hex'),
      wrapped.wrapped_key.toString('hex'),
    )
  })
}

test('a rotated file keeps the former key until it is dropped, and other readers follow', () => {
  const file = newFile()
  const keys = createFileKeys(file, { must_exist: false })
  const dataKey = randomBytes(32)
  const before = keys.wrap(dataKey, 'd')
  const other = createFileKeys(file, { must_exist: true })
  deepEqual(other.unwrap(before, 'd'), dataKey)
  keys.rotate()
  notEqual(keys.currentId(), before.key_id)
  equal(other.currentId(), keys.currentId())
  deepEqual(other.unwrap(before, 'd'), dataKey)
  equal(keys.dropFormer(), true)
  equal(other.unwrap(before, 'd'), undefined)
  equal(readFileSync(file, 'utf8').trim().split('\n').length, 1)
  deepEqual(
    readdirSync(folder).filter((name) => !name.endsWith('.key')),
    [],
  )
})

test('the file is created for its owner only, and refused where others may read it', () => {
  const file = newFile()
  createFileKeys(file, { must_exist: false }).currentId()
  equal(statSync(file).mode & 0o777, 0o600)
  chmodSync(file, 0o640)
  throws(() => createFileKeys(file, { must_exist: false }).currentId(), /chmod 600/)
  throws(() => createFileKeys(newFile(), { must_exist: true }).currentId())
})

test('given keys are current in their order, and the operator removes the former ones', () => {
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const former = createGivenKeys([first]).wrap(second, 'd')
  const keys = createGivenKeys([second, first])
  keys.rotate()
  equal(keys.currentId(), createGivenKeys([second]).currentId())
  deepEqual(keys.unwrap(former, 'd'), second)
  deepEqual([keys.dropFormer(), createGivenKeys([second]).dropFormer()], [false, true])
})

test('a key is 32 bytes in hex or base64', () => {
  const key = randomBytes(32)
  for (const text of [key.toString('hex'), key.toString('base64'), key.toString('base64url')])
    deepEqual(parseKey(text), key)
  for (const text of ['', 'x', key.toString('hex').slice(2), `${key.toString('base64')}A`])
    equal(parseKey(text), undefined)
})

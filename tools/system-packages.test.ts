import { deepEqual, equal, throws } from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { aptEnvironment, withoutServices } from './system-packages.ts'

const folder = mkdtempSync(join(tmpdir(), 'duet-policy-'))
const policy = join(folder, 'policy-rc.d')
after(() => rmSync(folder, { recursive: true }))

test('apt-get asks nothing, and inherits proxies but no secret and no loader setting', () => {
  const { DEBIAN_FRONTEND, ...rest } = aptEnvironment({
    PATH: '/tmp/evil:/usr/bin',
    SECRET_KEY: 'secret',
    NODE_OPTIONS: '--require ./x.js',
    LD_PRELOAD: './x.so',
    https_proxy: 'http://127.0.0.1:9',
  })
  equal(DEBIAN_FRONTEND, 'noninteractive')
  equal(rest.PATH, '/usr/sbin:/usr/bin:/sbin:/bin')
  equal(rest.https_proxy, 'http://127.0.0.1:9')
  deepEqual(
    Object.keys(rest).filter((name) => /SECRET|NODE_|LD_/.test(name)),
    [],
  )
})

test('services are refused while packages are installed, also when that fails, and not afterwards', () => {
  const seen: [string, number][] = []
  const look = () =>
    seen.push([readFileSync(policy, 'utf8').split('\n').at(-2)!, statSync(policy).mode & 0o777])
  withoutServices(look, policy)
  equal(existsSync(policy), false)
  throws(
    () =>
      withoutServices(() => {
        look()
        throw new Error('no network')
      }, policy),
    /no network/,
  )
  equal(existsSync(policy), false)
  deepEqual(seen, [
    ['exit 101', 0o755],
    ['exit 101', 0o755],
  ])
})

test('a policy of the machine is neither changed nor removed', () => {
  writeFileSync(policy, '#!/bin/sh\nexit 0\n')
  withoutServices(() => {}, policy)
  equal(readFileSync(policy, 'utf8'), '#!/bin/sh\nexit 0\n')
})

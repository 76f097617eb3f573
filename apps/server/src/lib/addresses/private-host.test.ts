import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isPrivateHost } from './private-host.ts'

const getHost = (origin: string) => new URL(origin).hostname

test('this machine and private networks are told from hosts of the internet', () => {
  for (const host of [
    ...['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', '0.0.0.0', '127.1', '0x7f000001'],
    ...['10.1.2.3', '172.31.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1'],
    ...['[::]', '[::1]', '[fd00::1]', '[fe80::1]', '[::ffff:10.0.0.1]', 'db.internal'],
  ])
    equal(isPrivateHost(getHost(`https://${host}`)), true, host)
  for (const host of ['pay.example', 'localhost.example', '172.32.0.1', '9.9.9.9', '[2001:db8::1]'])
    equal(isPrivateHost(getHost(`https://${host}`)), false, host)
})

import { deepEqual, equal, rejects } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { GatewayUnavailable } from '../../../lib/payments/gateway-unavailable.ts'
import { createDataLink } from './ccbill-datalink.ts'

let answer = ''
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url!)
  response.writeHead(200, { 'content-type': 'text/xml' }).end(answer)
})
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
after(() => server.close())

function openLink() {
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  asked.length = 0
  const find = createDataLink({
    account: '900000',
    subaccount: '0001',
    form_id: 'form',
    salt: 'salt',
    base_url: origin,
    datalink_username: 'user',
    datalink_password: 'a&b',
    datalink_url: origin,
  })!
  return (given: string) => {
    answer = given
    return find('0123456789012345678', AbortSignal.timeout(5_000))
  }
}

test('a sale is asked by its number, with the login of DataLink', async () => {
  const ask = openLink()
  const sale = await ask(
    '<?xml version="1.0"?><results><subscriptionStatus>2</subscriptionStatus><refundsIssued>0</refundsIssued></results>',
  )
  equal(sale!.get('refundsIssued'), '0')
  deepEqual(asked, [
    '/utils/subscriptionManagement.cgi?clientAccnum=900000&clientSubacc=0001&usingSubacc=0001&username=user' +
      '&password=a%26b&action=viewSubscriptionStatus&subscriptionId=0123456789012345678&returnXML=1',
  ])
})

test('a sale without a record is unknown, as XML and as a table', async () => {
  const ask = openLink()
  equal(await ask('<results>-3</results>'), undefined)
  equal(await ask('"results"\n"-2"\n'), undefined)
})

test('a failure, and an answer that is not documented, is no answer about the sale', async () => {
  const ask = openLink()
  for (const given of [
    '<results>0</results>',
    '<results>1</results>',
    '<results>-7</results>',
    '<html><head><title>Maintenance</title></head></html>',
    '<errors><code>500</code></errors>',
    '',
  ])
    await rejects(ask(given), GatewayUnavailable)
})

test('after a refused login nothing is asked, so that further logins do not lock the account', async () => {
  const ask = openLink()
  await rejects(ask('<results>-1</results>'), /DataLink answered -1/)
  await rejects(ask('<results>1</results>'), /less than an hour ago/)
  equal(asked.length, 1)
})

test('without a login nothing can be asked', () => {
  const access = { account: '1', subaccount: '0', form_id: 'f', salt: 's', base_url: 'http://x' }
  equal(createDataLink(access), undefined)
})

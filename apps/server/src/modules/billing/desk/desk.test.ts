import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { startPaymentStandIn } from '@duet/server/integrations/payments/stand-in/stand-in.ts'
import { SAMPLE_FORM } from '@duet/server/lib/payments/sample-form.ts'
import type { CallbackLine, KeptCallback, PaymentCase } from '@duet/protocol'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

let origin = ''
const standIn = await startPaymentStandIn({
  port: 0,
  host: '127.0.0.1',
  notified_origin: () => origin,
})
const { verotel, nowpayments, prime } = standIn.access
const shop = story.with({
  env: {
    VEROTEL_SHOP_ID: verotel!.shop_id,
    VEROTEL_SIGNATURE_KEY: verotel!.signature_key,
    VEROTEL_BASE_URL: verotel!.base_url,
    NOWPAYMENTS_API_KEY: nowpayments!.api_key,
    NOWPAYMENTS_IPN_SECRET: nowpayments!.ipn_secret,
    NOWPAYMENTS_EMAIL: nowpayments!.email!,
    NOWPAYMENTS_PASSWORD: nowpayments!.password!,
    NOWPAYMENTS_BASE_URL: nowpayments!.base_url,
    PRIME_SECRET_1: prime!.secret_1,
    PRIME_SECRET_2: prime!.secret_2,
    PRIME_BASE_URL: prime!.base_url,
  },
})

async function begin(guy: TestUser, method = 'verotel') {
  origin = guy.testApp.origin
  const { packages } = await guy.get('packages')
  const { package_id } = packages.find(({ pack, value }) => pack === 'minutes' && value === 15)!
  const wish = { package_id, method, place: 'billing' }
  const started = await guy.post('payment/start', wish)
  await fetch(started.url)
  return { order_id: started.order_id, payment: standIn.payments().at(-1)! }
}

async function payWrongly(guy: TestUser) {
  const begun = await begin(guy)
  await standIn.play(begun.payment.id, { type: 'paid', amount: 1n })
  return begun
}

const waiting = async (staff: TestUser) => {
  const { queues } = await staff.get('v2/manager/queues')
  return Object.fromEntries(queues.map((one) => [one.queue, one.waiting]))
}
const look = (staff: TestUser, id: number) =>
  staff.get(`v2/manager/payments/${id}`) as Promise<unknown> as Promise<PaymentCase>
const decide = (staff: TestUser, id: number, decision: string, reason = 'the bank confirmed it') =>
  staff.post(`v2/manager/payments/${id}/decide`, { decision, reason })
const callbacks = async (staff: TestUser, verdict = 'refused') =>
  (await staff.get('v2/manager/callbacks', { verdict })).items as CallbackLine[]
const balance = async (user: TestUser) => (await user.post('balance')).balance
const letProofAge = (testApp: TestApp) => testApp.clock.sleep(testApp.clock.now().add({ hours: 2 }))

shop(
  'a payment of another amount waits for finance, who see why and credit it once',
  async ({ boris, testApp }) => {
    const { order_id } = await payWrongly(boris)
    const fay = await openStaff(testApp, 'finance')
    deepEqual(await waiting(fay), { payments: 1, callbacks: 0 })
    const { items, next } = await fay.get('v2/manager/payments')
    deepEqual(
      items.map((one) => [one.order_id, one.user.id, one.price, one.why, one.claim]),
      [[order_id, boris.id, '14.99', 'wrong_amount', null]],
    )
    equal(next, false)
    const found = await look(fay, order_id)
    equal((await auditedActs(testApp))[0], 'order_view')
    deepEqual(
      found.steps.map(({ kind, amount, currency }) => [kind, amount, currency]),
      [['paid', '0.01', 'USD']],
    )
    const [callback] = found.callbacks
    match(callback!.query, /priceAmount=0\.01/)
    match(callback!.query, /signature=\*\*\*/)
    equal(found.asks, true)
    await decide(fay, order_id, 'credit')
    equal((await auditedActs(testApp))[0], 'order_credit')
    equal(await balance(boris), '15')
    await fay.isRefused('decided', () => decide(fay, order_id, 'credit'))
    equal(await balance(boris), '15')
    // The refused callback is settled together with its order.
    deepEqual(await waiting(fay), { payments: 0, callbacks: 0 })
    equal((await callbacks(fay))[0]?.settled?.by, 'finance@duet.example')
  },
)

shop('a payment that was given back credits nothing', async ({ boris, testApp }) => {
  const { order_id } = await payWrongly(boris)
  const fay = await openStaff(testApp, 'finance')
  await decide(fay, order_id, 'refund', 'given back at the provider')
  equal((await auditedActs(testApp))[0], 'order_refund')
  equal(await balance(boris), '0')
  equal((await look(fay, order_id)).order.state, 'refunded')
  deepEqual(
    (await boris.get('notices')).items.map(({ kind, facts }) => [kind, facts.what]),
    [
      ['payment', 'back'],
      ['payment', 'checking'],
    ],
  )
  equal((await testApp.duet<{ ok: boolean }>('ledger', 'check')).ok, true)
})

shop('money needs a fresh proof, a free case and a role', async ({ boris, testApp }) => {
  const { order_id } = await payWrongly(boris)
  const fay = await openStaff(testApp, 'finance')
  const olga = await openStaff(testApp, 'owner')
  const mo = await openStaff(testApp, 'manager')
  await mo.isRefused('role_forbidden', () => decide(mo, order_id, 'credit'))
  equal('payments' in (await waiting(mo)), false)
  const claim = { queue: 'payments', id: String(order_id) }
  await mo.isRefused('role_forbidden', () => mo.post('v2/manager/claim', claim))
  await olga.post('v2/manager/claim', claim)
  await fay.isRefused('claimed', () => decide(fay, order_id, 'credit'))
  await fay.isRefused('role_forbidden', () =>
    fay.post('v2/manager/claim', Object.assign({ take_over: true }, claim)),
  )
  letProofAge(testApp)
  await olga.isRefused('second_factor', () => decide(olga, order_id, 'credit'))
  await olga.isRefused('second_factor', () => olga.post(`v2/manager/payments/${order_id}/ask`))
  equal(await balance(boris), '0')
})

shop(
  'the provider is asked again: its word is shown, and a step that counted before credits nothing',
  async ({ boris, testApp }) => {
    const { order_id, payment } = await payWrongly(boris)
    const fay = await openStaff(testApp, 'finance')
    payment.state = 'open'
    const unknown = await fay.post(`v2/manager/payments/${order_id}/ask`)
    equal(unknown.state, 'quarantined')
    payment.state = 'paid'
    const said = await fay.post(`v2/manager/payments/${order_id}/ask`)
    deepEqual(said.said, { kind: 'paid', amount: '14.99', currency: 'USD' })
    equal((await auditedActs(testApp))[0], 'order_ask')
    equal(said.state, 'quarantined')
    equal(await balance(boris), '0')
    await fay.isRefused('not_found', () => fay.post('v2/manager/payments/999999/ask'))
  },
)

shop(
  'a part that was paid up since is credited by the word of the provider',
  async ({ boris, testApp }) => {
    const { order_id, payment } = await begin(boris, 'crypto')
    await standIn.play(payment.id, { type: 'partial', amount: 1000n })
    const fay = await openStaff(testApp, 'finance')
    payment.state = 'paid'
    const { state } = await fay.post(`v2/manager/payments/${order_id}/ask`)
    equal(state, 'paid')
    equal(await balance(boris), '15')
    await fay.isRefused('decided', () => fay.post(`v2/manager/payments/${order_id}/ask`))
  },
)

shop(
  'a second payment and a forged notice are listed with their content, and settled',
  async ({ boris, testApp }) => {
    const { order_id, payment } = await begin(boris)
    await standIn.play(payment.id, { type: 'paid' })
    const other = await begin(boris)
    await standIn.play(other.payment.id, { type: 'paid', reference: payment.reference })
    const forged = `${origin}/api/payment/notify/verotel?saleID=1&token=abc&signature=${'0'.repeat(64)}`
    equal((await fetch(forged)).status, 400)
    const fay = await openStaff(testApp, 'finance')
    deepEqual(await waiting(fay), { payments: 0, callbacks: 1 })
    const [refused] = await callbacks(fay)
    deepEqual(
      [refused?.order_id, refused?.why, refused?.user?.id],
      [order_id, 'second_payment', boris.id],
    )
    const [unbelieved] = await callbacks(fay, 'unverified')
    equal(unbelieved?.order_id, null)
    const raw = (await fay.get(`v2/manager/callbacks/${unbelieved!.id}`)) as unknown as KeptCallback
    equal(raw.query, 'saleID=1&token=***&signature=***')
    equal((await auditedActs(testApp))[0], 'callback_view')
    const settle = () =>
      fay.post(`v2/manager/callbacks/${refused!.id}/decide`, { reason: 'given back' })
    await settle()
    equal((await auditedActs(testApp))[0], 'callback_settle')
    await fay.isRefused('decided', settle)
    deepEqual(await waiting(fay), { payments: 0, callbacks: 0 })
    equal(await balance(boris), '15')
  },
)

shop('the lists go on after a cursor, the newest first', async ({ boris, testApp }) => {
  const ids: number[] = []
  for (let each = 0; each < 3; each += 1) ids.unshift((await payWrongly(boris)).order_id)
  const fay = await openStaff(testApp, 'finance')
  for (const list of ['payments', 'callbacks'] as const) {
    const first = await fay.get(`v2/manager/${list}`, { 'per-page': 2 })
    const idOf = (one: object) =>
      'id' in one ? Number(one.id) : (one as { order_id: number }).order_id
    equal(first.next, true)
    const before = idOf(first.items.at(-1)!)
    const last = await fay.get(`v2/manager/${list}`, { 'per-page': 2, before })
    equal(last.next, false)
    const orders = [...first.items, ...last.items].map(({ order_id }) => order_id)
    deepEqual(orders, ids)
  }
})

shop(
  'refused callbacks wait until they are settled, and wait with their order while it waits',
  async ({ boris, carl, testApp }) => {
    const fay = await openStaff(testApp, 'finance')
    const ids = async (verdict: string) =>
      (await callbacks(fay, verdict)).map(({ order_id }) => order_id)
    const [his, other] = [await payWrongly(boris), await payWrongly(carl)]
    deepEqual([await ids('waiting'), (await ids('refused')).length], [[], 2])
    // A second payment is credited: the money of the first one has to be given back.
    const { reference } = his.payment
    await standIn.play((await begin(boris)).payment.id, { type: 'paid', reference })
    equal(await balance(boris), '15')
    deepEqual(await ids('waiting'), [his.order_id])
    deepEqual(await waiting(fay), { payments: 1, callbacks: 1 })
    const [line] = await callbacks(fay, 'waiting')
    await fay.post(`v2/manager/callbacks/${line!.id}/decide`, { reason: 'given back' })
    deepEqual([await ids('waiting'), (await ids('refused')).length], [[], 2])
    // The provider gives the money of the other order back: nothing is left to do.
    await standIn.play(other.payment.id, { type: 'refunded' })
    equal((await look(fay, other.order_id)).order.state, 'refunded')
    deepEqual([await ids('waiting'), await waiting(fay)], [[], { payments: 0, callbacks: 0 }])
    const settled = (await callbacks(fay)).find(({ order_id }) => order_id === other.order_id)
    deepEqual(
      [settled?.settled?.by, settled?.settled?.why],
      ['verotel', 'the payment was given back'],
    )
  },
)

shop('a part of a price waits no longer once the rest came in', async ({ boris, testApp }) => {
  const fay = await openStaff(testApp, 'finance')
  const { order_id, payment } = await begin(boris, 'crypto')
  await standIn.play(payment.id, { type: 'partial', amount: 1n })
  deepEqual(await waiting(fay), { payments: 1, callbacks: 0 })
  await standIn.play(payment.id, { type: 'paid' })
  equal((await look(fay, order_id)).order.state, 'paid')
  await testApp.advance('2 s')
  deepEqual(await waiting(fay), { payments: 0, callbacks: 0 })
  equal((await callbacks(fay))[0]?.settled?.by, 'crypto')
})

shop(
  'a part that was given back and is paid up later is a case again, and credits nothing',
  async ({ boris, testApp }) => {
    const fay = await openStaff(testApp, 'finance')
    const { order_id, payment } = await begin(boris, 'crypto')
    await standIn.play(payment.id, { type: 'partial', amount: 1000n })
    await decide(fay, order_id, 'refund', 'given back at the provider')
    deepEqual(await waiting(fay), { payments: 0, callbacks: 0 })
    deepEqual(await standIn.play(payment.id, { type: 'paid' }), [200])
    await testApp.advance('2 s')
    deepEqual([await waiting(fay), await balance(boris)], [{ payments: 0, callbacks: 1 }, '0'])
    const [line] = await callbacks(fay, 'waiting')
    deepEqual(
      [line?.order_id, line?.why, line?.user?.id],
      [order_id, 'paid_after_return', boris.id],
    )
  },
)

interface EvidencePack {
  readonly order: { readonly state: string }
  readonly receipt: { readonly lines: [string, string][]; readonly pdf_base64: string }
  readonly callbacks: { readonly query: string; readonly verdict: string }[]
  readonly use: Readonly<Record<string, readonly unknown[]>>
}
const downloadEvidence = (staff: TestUser, id: number) =>
  fetch(`${staff.testApp.origin}/api/v2/manager/payments/${id}/evidence`, {
    headers: { cookie: staff.cookie! },
  })

shop(
  'finance and owners download the evidence of an order, which is recorded and has no secret',
  async ({ boris, testApp }) => {
    const { order_id, payment } = await begin(boris)
    await standIn.play(payment.id, { type: 'paid' })
    // A read of what the pack does not have would fail.
    await runAsOwner(testApp.database, 'alter table messages rename to hidden_messages')
    for (const role of ['finance', 'owner'] as const) {
      const staff = await openStaff(testApp, role)
      const answer = await downloadEvidence(staff, order_id)
      equal(
        answer.headers.get('content-disposition'),
        `attachment; filename="evidence-${order_id}.json"`,
      )
      equal(answer.headers.get('cache-control'), 'no-store')
      const text = await answer.text()
      const pack = JSON.parse(text) as EvidencePack
      match(Buffer.from(pack.receipt.pdf_base64, 'base64').toString('latin1'), /^%PDF-/)
      ok(pack.receipt.lines.some(([, line]) => line === '14.99 USD'))
      match(pack.callbacks[0]!.query, /signature=\*\*\*/)
      doesNotMatch(text, /signature=[0-9a-f]/)
      ok((pack.use['transfers'] ?? []).length > 0)
      const tables = ['given_gifts', 'logins', 'orders', 'transfers', 'video_sessions']
      deepEqual(Object.keys(pack.use).toSorted(), tables)
      const [entry] = (
        await (await openStaff(testApp, 'owner')).get('v2/manager/audit', { act: 'order_evidence' })
      ).items
      deepEqual(
        [entry?.email, entry?.user_id, entry?.facts],
        [`${role}@duet.example`, boris.id, { order_id }],
      )
    }
  },
)

shop(
  'the evidence of an order is complete and sent as it is read, however many rows the buyer has',
  async ({ boris, testApp }) => {
    const { order_id, payment } = await begin(boris)
    await standIn.play(payment.id, { type: 'paid' })
    await runAsOwner(
      testApp.database,
      `insert into logins (user_id, token_hash, created_at, used_at)
       select ${boris.id}, decode(md5(n::text), 'hex'), now(), now() from generate_series(1, 2500) n`,
    )
    await runAsOwner(
      testApp.database,
      `insert into payment_callbacks (method, request_method, address, verdict, query, body, headers, order_id, received_at)
       select method, request_method, address, verdict, 'n=' || n, body, headers, order_id, received_at
       from payment_callbacks, generate_series(1, 45) n where order_id = ${order_id}`,
    )
    const answer = await downloadEvidence(await openStaff(testApp, 'finance'), order_id)
    equal(answer.headers.get('content-length'), null)
    const { use, callbacks: kept } = (await answer.json()) as EvidencePack
    ok(use['logins']!.length > 2500)
    equal(kept.length, 46)
    equal(kept.at(-1)!.query, 'n=45')
  },
)

shop(
  'the evidence of an order needs the role, the order and a fresh proof',
  async ({ boris, testApp }) => {
    const { order_id } = await payWrongly(boris)
    const fay = await openStaff(testApp, 'finance')
    for (const role of ['moderator', 'manager'] as const)
      equal((await downloadEvidence(await openStaff(testApp, role), order_id)).status, 403)
    equal((await downloadEvidence(fay, 999_999)).status, 404)
    // Nothing was paid as ordered: there is no receipt.
    equal(((await (await downloadEvidence(fay, order_id)).json()) as EvidencePack).receipt, null)
    letProofAge(testApp)
    match(await (await downloadEvidence(fay, order_id)).text(), /second_factor/)
    const acts = await auditedActs(testApp)
    equal(acts.filter((act) => act === 'order_evidence').length, 1)
  },
)

shop('each method is on, or names what it lacks', async ({ testApp }) => {
  await testApp.setting('contact_form', '{')
  for (const role of ['finance', 'owner'] as const) {
    const staff = await openStaff(testApp, role)
    const { methods } = await staff.get('v2/manager/payment-methods')
    const found = new Map(methods.map((one) => [one.method, one]))
    const plain = { form: null, preview: null, has_preview: false }
    deepEqual(found.get('verotel'), { method: 'verotel', lacks: null, ...plain })
    deepEqual(found.get('giftcard'), {
      method: 'giftcard',
      lacks: 'duet giftcards create',
      ...plain,
    })
    const lacks = 'CONTACT_SECRET_1, CONTACT_SECRET_2, CONTACT_BASE_URL'
    deepEqual(found.get('contact'), { method: 'contact', ...plain, lacks, form: '{' })
    const prime = { form: '', preview: null, has_preview: true }
    deepEqual(found.get('prime'), { method: 'prime', lacks: 'setting prime_form', ...prime })
  }
  for (const role of ['moderator', 'manager'] as const) {
    const staff = await openStaff(testApp, role)
    await staff.isRefused('role_forbidden', () => staff.get('v2/manager/payment-methods'))
    await staff.isRefused('role_forbidden', () => preview(staff, SAMPLE_FORM))
  }
})

const preview = (staff: TestUser, form: string, method = 'prime') =>
  staff.post('v2/manager/payment-methods/preview', { method, form })

shop(
  'a form is previewed before it is set: its mistakes, or what is signed without a secret',
  async ({ testApp }) => {
    const fay = await openStaff(testApp, 'finance')
    const shown = await preview(fay, SAMPLE_FORM)
    match(shown.signed, /:D-EXAMPLE-1001:14\.99:USD:\{secret_1\}$/)
    match(shown.url, /\/pay\?order=D-EXAMPLE-1001&sum=14\.99&/)
    for (const secret of [prime!.secret_1, prime!.secret_2])
      equal(JSON.stringify(shown).includes(secret), false)
    deepEqual(await preview(fay, '{'), {
      mistakes: ['The form is not readable as JSON.'],
      signed: '',
      url: '',
    })
    const { mistakes } = await preview(fay, '{"url":"{base_url}"}')
    ok(mistakes.some((one) => one.startsWith('fields: ')))
    // Nothing was stored, and the method stays as it was.
    const find = async () =>
      (await fay.get('v2/manager/payment-methods')).methods.find((one) => one.method === 'prime')
    deepEqual([(await find())?.form, (await find())?.lacks], ['', 'setting prime_form'])
    await testApp.setting('prime_form', SAMPLE_FORM)
    await preview(fay, '{')
    deepEqual(await find(), {
      method: 'prime',
      lacks: null,
      form: SAMPLE_FORM,
      preview: shown,
      has_preview: true,
    })
    await fay.isRefused('invalid', () => preview(fay, 'x'.repeat(4001)))
    await fay.isRefused('method_unavailable', () => preview(fay, SAMPLE_FORM, 'verotel'))
    await fay.isRefused('method_unavailable', () => preview(fay, SAMPLE_FORM, 'contact'))
  },
)

shop('staff read no order of their own', async ({ testApp, boris }) => {
  const { order_id } = await payWrongly(boris)
  const self = await openStaff(testApp, 'owner', 'boris@duet.example')
  for (const path of ['', '/evidence'])
    await self.isRefused('role_forbidden', () =>
      self.get(`v2/manager/payments/${order_id}${path}` as never),
    )
  const other = await openStaff(testApp, 'owner')
  await look(other, order_id)
})

import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { startSumsubStandIn } from '@duet/testkit/stand-ins/sumsub-stand-in.ts'
import { createSumsub, digestOfNotice, signedBySumsub, type SumsubAccess } from './sumsub.ts'

const NOW = Temporal.Instant.from('2026-01-01T00:00:00Z')
const access: SumsubAccess = {
  url: 'http://127.0.0.1:1',
  app_token: 'sbx:token',
  request_secret: 'SUMSUB_SECRET',
  webhook_secret: 'WEBHOOK_SECRET',
  level: 'basic-kyc',
  digest: 'sha256',
}
const BODY =
  '{"applicantId":"a1","inspectionId":"i1","correlationId":"c1","levelName":"basic-kyc","externalUserId":"u42","type":"applicantReviewed","reviewResult":{"reviewAnswer":"GREEN"},"reviewStatus":"completed","createdAtMs":"2026-01-01 00:00:00.000"}'

test('requests are signed as the worked examples of the provider', () => {
  const ts = 1_767_225_600
  equal(
    signedBySumsub('SUMSUB_SECRET', {
      ts,
      method: 'POST',
      path: '/resources/accessTokens/sdk',
      body: '{"userId":"u42","levelName":"basic-kyc","ttlInSecs":600}',
    }),
    'c0f65b9754fe93c9bdc7f6730210d0fb875c49214160cd70dda197f0b66fc8bb',
  )
  equal(
    signedBySumsub('SUMSUB_SECRET', {
      ts,
      method: 'POST',
      path: '/resources/accessTokens?userId=u42&levelName=basic-kyc&ttlInSecs=600',
    }),
    '92096705ab2ccb31989c8ab76641dd5576382a460a70c8d223d364c4b0d2f261',
  )
})

test('a notice has the digest of the worked examples', () => {
  const bytes = Buffer.from(BODY)
  equal(
    digestOfNotice('WEBHOOK_SECRET', 'sha256', bytes),
    'a2f5521be2b8586d96949ae51bba17af00ef357971fb335a2057f8e6297d689e',
  )
  equal(
    digestOfNotice('WEBHOOK_SECRET', 'sha512', bytes),
    '828ee8d79c0909489df473c4bfcf31244f594ce37d2696012100657346882f0f2a00d57aa13d76a3b884bbc3dbf994f8f17397522dfea1b02c68e3bbcfda8a26',
  )
})

test('a notice is read only with the configured algorithm over its bytes', () => {
  const sha256 = createSumsub(access, () => NOW)
  const sha512 = createSumsub({ ...access, digest: 'sha512' }, () => NOW)
  const bytes = Buffer.from(BODY)
  const signed = (algorithm: string, digest: string) => ({
    'x-payload-digest': digest,
    'x-payload-digest-alg': algorithm,
  })
  const right = signed('HMAC_SHA256_HEX', digestOfNotice('WEBHOOK_SECRET', 'sha256', bytes))
  const notice = sha256.readNotice(bytes, right)
  deepEqual(
    [
      notice?.applicant_id,
      notice?.correlation_id,
      notice?.user_key,
      notice?.type,
      String(notice?.created_at),
      notice?.is_sandbox,
    ],
    ['a1', 'c1', 'u42', 'applicantReviewed', '2026-01-01T00:00:00Z', false],
  )
  equal(sha512.readNotice(bytes, right), undefined)
  ok(
    sha512.readNotice(
      bytes,
      signed('HMAC_SHA512_HEX', digestOfNotice('WEBHOOK_SECRET', 'sha512', bytes)),
    ),
  )
  // The SHA-1 digest of the worked example is correct, and is refused all the same.
  equal(
    sha256.readNotice(bytes, signed('HMAC_SHA1_HEX', '7f26f16198edcca05390e491693e034aa101942e')),
    undefined,
  )
  equal(sha256.readNotice(Buffer.from(`${BODY} `), right), undefined)
  equal(sha256.readNotice(bytes, {}), undefined)
  equal(
    sha256.readNotice(bytes, signed('HMAC_SHA256_HEX', right['x-payload-digest'].slice(1))),
    undefined,
  )
  for (const text of ['[]', 'null', '{', '{"applicantId":"a1"}']) {
    const other = Buffer.from(text)
    equal(
      sha256.readNotice(
        other,
        signed('HMAC_SHA256_HEX', digestOfNotice('WEBHOOK_SECRET', 'sha256', other)),
      ),
      undefined,
    )
  }
})

test('the stand-in takes requests that are signed right, and no others', async () => {
  const standIn = await startSumsubStandIn({ ...access, now: () => NOW })
  try {
    const right = createSumsub({ ...access, url: standIn.origin }, () => NOW)
    equal(await right.createToken('duet-7'), '_act-duet-7')
    standIn.applicants.set('a1', {
      externalUserId: 'duet-7',
      review: {
        levelName: 'basic-kyc',
        reviewStatus: 'completed',
        reviewResult: { reviewAnswer: 'RED', reviewRejectType: 'FINAL' },
      },
      info: {
        dob: '1990-01-01',
        idDocs: [{ validUntil: '2031-02-03' }, { validUntil: '2029-02-03' }],
      },
    })
    deepEqual(await right.readApplicant('a1'), {
      applicant_id: 'a1',
      user_key: 'duet-7',
      level: 'basic-kyc',
      answer: 'red',
      is_final: true,
      birthday: '1990-01-01',
      valid_until: '2029-02-03',
    })
    await rejects(right.readApplicant('a2'), { name: 'KycUnavailable' })
    const url = standIn.origin
    for (const wrong of [
      createSumsub({ ...access, url, request_secret: 'other' }, () => NOW),
      createSumsub({ ...access, url, app_token: 'sbx:other' }, () => NOW),
      createSumsub({ ...access, url }, () => NOW.subtract({ minutes: 3 })),
    ])
      await rejects(wrong.createToken('duet-7'), {
        name: 'KycUnavailable',
        message: 'Sumsub answered 401',
      })
  } finally {
    await standIn.close()
  }
})

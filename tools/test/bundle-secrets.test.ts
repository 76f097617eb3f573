import { deepEqual } from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { VARIABLES } from '@duet/server/config.ts'
import { secretNames } from '@duet/server/lib/configuration/variables.ts'
import { bundleComplaints } from './bundle-secrets.ts'

/** Keys that browsers are given. */
const PUBLIC_KEYS = ['VAPID_PUBLIC_KEY', 'CAPTCHA_SITE_KEY', 'FINGERPRINT_PRO_KEY']

test('a build that names a secret of the server is refused, in every folder of it', () => {
  const dist = mkdtempSync(join(tmpdir(), 'duet-bundle-'))
  try {
    mkdirSync(join(dist, 'assets'))
    writeFileSync(join(dist, 'app.html'), '<script>const MY_SECRET_KEY = 1</script>')
    deepEqual(bundleComplaints(dist), [])
    writeFileSync(join(dist, 'assets/a.js'), 'a(process.env.KYC_KEY)')
    writeFileSync(join(dist, 'assets/b.js'), 'b("-----BEGIN EC PRIVATE KEY-----")')
    const complaints = bundleComplaints(dist).map((one) => one.replace(/^.* contains |:.*$/g, ''))
    deepEqual(complaints.toSorted(), ['KYC_KEY', 'a private key'])
  } finally {
    rmSync(dist, { recursive: true })
  }
})

test('every variable that is named like a secret is declared as a secret', () => {
  const named = Object.keys(VARIABLES).filter((name) => /_(?:SECRET|KEY|PASSWORD)$/.test(name))
  const secrets = secretNames(VARIABLES)
  deepEqual(
    named.filter((name) => !secrets.includes(name)),
    PUBLIC_KEYS,
  )
})

import { deepEqual, ok } from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bundleComplaints, PUBLIC_NAMES, SECRET_NAMES } from './bundle-secrets.ts'
import { listFiles, ROOT } from '../tree.ts'

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

test('the list has every variable of the configuration that is named like a secret', () => {
  const sources = listFiles().filter(
    (path) =>
      path.startsWith('apps/server/src/') &&
      /(?:^|\/)(?:config|[a-z0-9-]*variables)\.ts$/.test(path),
  )
  const named = sources.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    return text.match(/^ {2}[A-Z][A-Z0-9_]*_(?:SECRET|KEY|PASSWORD)\b(?=:)/gm) ?? []
  })
  ok(named.length > 3, sources.join())
  const listed: readonly string[] = [...SECRET_NAMES, ...PUBLIC_NAMES]
  deepEqual(
    named.map((name) => name.trim()).filter((name) => !listed.includes(name)),
    [],
  )
})

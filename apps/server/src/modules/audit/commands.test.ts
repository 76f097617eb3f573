import { deepEqual } from 'node:assert/strict'
import { collectCommands } from '../../platform/operator/commands.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'

/** Commands that change nothing about users and show nothing private beyond what staff search for. */
const WITHOUT_ENTRY =
  /^(help|.* (list|check|flagged|quarantined|disputed|preview|checks|get|numbers|verify|export)|matches|user show|links|flags|quality|referrals show)$/
/** Their own stories read their entries. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'complaints show',
  'complaints decide',
  'frames show',
  'masked show',
  'masked done',
  'mail show',
  'orders show',
  'orders credit',
  'orders refund',
  'orders chargeback',
  'orders evidence',
  'referrals release',
  'factors remove',
  'report show',
  'report decide',
  'media approve',
  'media reject',
  'pictures ban',
  'pictures import',
  'verification show',
  'verification approve',
  'verification decline',
  'seal show',
  'seal hold',
  'seal release',
  'complaints raise',
])

const BAN = ['--reason', 'other', '--comment', 'test']

/** A line of the shell for each command that acts, and the act of its entry. */
const LINES: readonly (readonly [line: readonly string[], act: string])[] = [
  [['ban', 'GUY', ...BAN], 'ban_impose'],
  [['unban', 'GUY', '--comment', 'test'], 'ban_lift'],
  [
    [
      'penalty',
      'GIRL',
      '--amount',
      '5',
      '--place',
      'other',
      '--reason',
      'other',
      '--comment',
      'test',
    ],
    'penalty_impose',
  ],
  [['premium', 'GUY', '--days', '3'], 'premium_give'],
  [['grant', 'GUY', '15', 'diamond', '--reason', 'test'], 'grant'],
  [['user password', 'GUY', '--password', 'another-secret-1'], 'password_set'],
  [['verify', 'GIRL'], 'identity_approve'],
  [['verify', 'GIRL', '--decline', 'other'], 'identity_decline'],
  [['verification rotate-key'], 'document_keys_rotate'],
  [['hold add', 'GUY', '--reason', 'test'], 'hold_add'],
  [['hold remove', '1'], 'hold_remove'],
  [['gifts forbid', 'GIRL', '--reason', 'other', '--comment', 'test'], 'gifts_forbid'],
  [['gifts permit', 'GIRL'], 'gifts_permit'],
  [['gifts set', '1', '--price', '7'], 'gift_set'],
  [['gifts name', '1', 'de', 'Rose'], 'gift_set'],
  [['settings set', 'call_flag_days', '30'], 'setting_change'],
  [['packages set', 'minutes', '45', '--price', '14.99'], 'package_set'],
  [['giftcards create', '--count', '1', '--minutes', '5'], 'gift_cards_create'],
  [['ledger rebuild'], 'ledger_rebuild'],
  [['audit accept-end', '--comment', 'test'], 'audit_end_accept'],
  [['staff add', 'dana@duet.example', '--role', 'owner'], 'staff_change'],
  [['staff link', 'dana@duet.example'], 'staff_link'],
  [['staff end', 'dana@duet.example'], 'staff_end'],
  [
    [
      'user add',
      '--role',
      'guy',
      '--nick',
      'Zed',
      '--email',
      'z@duet.example',
      '--password',
      'secret-word-1',
    ],
    'user_add',
  ],
]

async function entries(testApp: TestApp, ...line: string[]) {
  const listed = await testApp.duet<{ act: string; operator: string; user_id: number | null }[]>(
    ...(['audit', 'list', ...line] as const),
  )
  return listed.toReversed()
}

story('every command that acts leaves an entry with its name', async ({ testApp, boris, anna }) => {
  const found: string[] = []
  for (const [[name, ...rest], act] of LINES) {
    const words = rest.map((word) =>
      word === 'GUY' ? String(boris.id) : word === 'GIRL' ? String(anna.id) : word,
    )
    const before = (await entries(testApp)).length
    await testApp.duet(...name!.split(' '), ...words, '--as', 'dana')
    const written = (await entries(testApp, '--operator', 'dana')).slice(-1)
    const isNew = (await entries(testApp)).length === before + 1
    if (!isNew || written[0]?.act !== act) found.push(`${name} wrote ${written[0]?.act}`)
    if (rest.includes('GUY') && written[0]?.user_id !== boris.id)
      found.push(`${name} names no user`)
  }
  deepEqual(found, [])
  const tried = new Set(LINES.map(([[name]]) => name))
  const untried = [...collectCommands(testApp.running.modules, {}).keys()].filter(
    (name) => !tried.has(name) && !ELSEWHERE.has(name) && !WITHOUT_ENTRY.test(name),
  )
  deepEqual(untried, [])
})

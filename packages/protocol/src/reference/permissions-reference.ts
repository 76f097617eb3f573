import type { Action, Endpoint } from '../kernel/contract.ts'
import { callName, page, rows } from './wire-reference.ts'
import { mayRequest, type Principal } from '../kernel/who.ts'
import { wire } from '../wire.ts'

/** Every kind of caller: the columns of the matrix, and of its generated tests. */
export const principals = {
  'no token': { kind: 'none' },
  guest: { kind: 'guest' },
  guy: { kind: 'member', role: 'guy' },
  'premium guy': { kind: 'member', role: 'guy', premium: true },
  girl: { kind: 'member', role: 'girl' },
  'verified girl': { kind: 'member', role: 'girl', verified: true },
  'banned guy': { kind: 'member', role: 'guy', banned: true },
  'banned girl': { kind: 'member', role: 'girl', verified: true, banned: true },
  moderator: { kind: 'staff', staff_role: 'moderator' },
  manager: { kind: 'staff', staff_role: 'manager' },
  finance: { kind: 'staff', staff_role: 'finance' },
  owner: { kind: 'staff', staff_role: 'owner' },
} as const satisfies Record<string, Principal>

/** The page `docs/permissions.gen.md`: for each call and caller yes, or the name of the refusal. */
export function permissionsReference(): string {
  const head = ['call', ...Object.keys(principals)]
  return page([
    '# Permissions',
    'Generated from the contracts by the same predicate that the dispatcher uses; never edited. Any cell but `yes` is the name of the refusal.',
    ...Object.entries(wire).flatMap(([name, { actions, endpoints }]) => {
      const calls = [...Object.values<Action>(actions), ...Object.values<Endpoint>(endpoints)]
      return calls.length > 0 ? [`## ${name}`, rows(head, calls.map(matrixRow))] : []
    }),
  ])
}

function matrixRow(call: Action | Endpoint): string[] {
  const cells = Object.values<Principal>(principals).map((principal) => {
    const verdict = mayRequest(principal, call)
    return verdict ?? 'yes'
  })
  return [`\`${callName(call)}\``, ...cells]
}

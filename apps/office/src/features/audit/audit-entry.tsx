import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AuditEntry } from '@duet/protocol'
import { Button } from '@duet/ui/controls/button.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { actName } from './act-names.ts'

interface EntryProps {
  entry: AuditEntry
  /** Shows the acts of this member of staff only. */
  onPerson: (staff_id: number) => void
  onClose: () => void
}

/** Everything that the log keeps of an act, with the way to its person. */
export function AuditEntryDialog({ entry, onPerson, onClose }: EntryProps) {
  const { staff_id, email } = entry
  return (
    <Dialog
      open
      size={640}
      title={actName(entry.act)}
      closeLabel={t('action.close')}
      onClose={onClose}
      actions={
        staff_id !== null && (
          <Button size={44} onClick={() => onPerson(staff_id)}>
            {t('office.audit.only', { person: email ?? staff_id })}
          </Button>
        )
      }
    >
      <dl className="flex flex-col gap-3">
        {entryFacts(entry).map(([name, shown]) => (
          <div key={name}>
            <dt className="text-text-2">{name}</dt>
            <dd className="wrap-anywhere">{shown}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

function entryFacts(entry: AuditEntry): (readonly [string, ReactNode])[] {
  const { at, staff_id, email, operator, address, user_id, reason, facts, words, hash } = entry
  const hasChange = entry.before !== null || entry.after !== null
  const all: readonly (readonly [string, ReactNode])[] = [
    [t('office.audit.at'), shortTime(at)],
    [t('office.audit.who'), <bdi key="who">{operator ?? email ?? staff_id}</bdi>],
    [
      t('office.audit.user'),
      user_id !== null && (
        <Link key="user" className="hit underline" to={`/users/${user_id}`}>
          {user_id}
        </Link>
      ),
    ],
    [t('office.audit.reason'), reason !== '' && <bdi key="reason">{reason}</bdi>],
    [t('office.audit.words'), words !== null && <bdi key="words">{words}</bdi>],
    [t('office.audit.facts'), factsText(facts)],
    [t('office.audit.change'), hasChange && <Change key="change" {...entry} />],
    [
      t('office.audit.address'),
      address !== null && (
        <bdi key="address" dir="ltr">
          {address}
        </bdi>
      ),
    ],
    [t('office.audit.hash'), <code key="hash">{hash}</code>],
  ]
  return all.filter(([, shown]) => Boolean(shown))
}

/** Each fact that the act changed: what it was, struck out, and what it is. */
export function Change({ before, after }: Pick<AuditEntry, 'before' | 'after'>) {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => before?.[name] !== after?.[name],
  )
  return names.map((name) => (
    <span key={name} className="me-3">
      {name}: <del className="text-text-2">{String(before?.[name] ?? '–')}</del>{' '}
      <ins className="no-underline">{String(after?.[name] ?? '–')}</ins>
    </span>
  ))
}

export function factsText(facts: AuditEntry['facts']): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')
}

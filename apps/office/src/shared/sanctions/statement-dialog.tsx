import type { ReactNode } from 'react'
import type { StaffStatement } from '@duet/protocol'
import { Button } from '@duet/ui/controls/button.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { PersonLink } from '../person-link.tsx'
import { t, textOr } from '../texts.ts'
import { shortTime } from '../times.ts'
import { liftWord, mayLift } from './lift-word.ts'
import './sanction-texts.ts'
import { StatementState } from './statement-columns.tsx'

interface StatementProps {
  statement: StaffStatement
  /** Without it the viewer may take no act back. */
  onLift: (() => void) | undefined
  onClose: () => void
}

/** Everything about a decision: its reason, its words and, of a penalty, its place, its coins and when they come back. */
export function StatementDialog({ statement, onLift, onClose }: StatementProps) {
  return (
    <Dialog
      open
      size={640}
      title={textOr(`office.statement.${statement.kind}`, statement.kind)}
      closeLabel={t('action.close')}
      onClose={onClose}
      actions={
        mayLift(statement) &&
        onLift && (
          <Button size={44} variant="outline" onClick={onLift}>
            {liftWord(statement.kind)}
          </Button>
        )
      }
    >
      <dl className="flex flex-col gap-3">
        {statementFacts(statement).map(([name, shown]) => (
          <div key={name}>
            <dt className="text-text-2">{name}</dt>
            <dd className="whitespace-pre-line wrap-anywhere">{shown}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

function statementFacts(statement: StaffStatement): (readonly [string, ReactNode])[] {
  const { user, reason, comment, at, automatic, imposed_by, amount, paid, place } = statement
  const { refund } = statement
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      t('office.sanctions.user'),
      <span key="user">
        <PersonLink isAside person={user} /> #{user.id}
      </span>,
    ],
    [t('office.audit.reason'), textOr(`office.reason.${reason}`, reason)],
    [t('office.sanctions.place'), place && textOr(`office.place.${place}`, place)],
    [
      t('office.decide.coins'),
      amount !== null && t('office.sanctions.amount', { amount, paid: paid ?? '0' }),
    ],
    [
      t('office.sanctions.refund'),
      refund && t('office.sanctions.refund_rule', { ...refund, until: shortTime(refund.until) }),
    ],
    [t('office.audit.words'), comment !== '' && <bdi key="comment">{comment}</bdi>],
    [t('office.audit.at'), shortTime(at)],
    [
      t('office.sanctions.by'),
      automatic ? t('office.sanctions.automatic') : <bdi key="by">{imposed_by}</bdi>,
    ],
    [t('office.sanctions.state'), <StatementState key="state" statement={statement} />],
  ]
  return facts.filter(([, shown]) => Boolean(shown))
}

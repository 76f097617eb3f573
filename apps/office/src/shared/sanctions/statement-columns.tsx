import type { StaffStatement } from '@duet/protocol'
import { Button } from '@duet/ui/controls/button.tsx'
import { Tag } from '@duet/ui/controls/tag.tsx'
import { TIME_WIDTH, type TableColumn } from '../table/table-column.ts'
import { t, textOr } from '../texts.ts'
import { CitedRule } from './cited-rule.tsx'
import { liftWord, mayLift } from './lift-word.ts'
import { statementName } from './statement-name.ts'
import { PersonLink } from '../person-link.tsx'
import { shortTime } from '../times.ts'

interface StatementActs {
  onOpen: (statement: StaffStatement) => void
  /** Without it the viewer may take no act back: the button says who may. */
  onLift: ((statement: StaffStatement) => void) | undefined
}

/** The columns of statements. */
export function statementColumns({ onOpen, onLift }: StatementActs): TableColumn<StaffStatement>[] {
  return [
    { key: 'at', width: TIME_WIDTH, header: t('office.audit.at'), cell: ({ at }) => shortTime(at) },
    {
      key: 'user',
      width: 140,
      header: t('office.sanctions.user'),
      cell: ({ user }) => (
        <span>
          <PersonLink person={user} /> <span className="text-text-3">{user.id}</span>
        </span>
      ),
      mobile: 'main',
    },
    {
      key: 'kind',
      header: t('office.sanctions.kind'),
      width: 180,
      cell: (row) => (
        <button
          type="button"
          data-open
          className="text-start underline"
          onClick={() => onOpen(row)}
        >
          {statementName(row)}
        </button>
      ),
      mobile: 'second',
    },
    {
      key: 'comment',
      width: 240,
      header: t('office.sanctions.comment'),
      cell: ({ reason, comment }) => (
        <span className="line-clamp-3" title={comment}>
          {textOr(`office.reason.${reason}`, reason)} <CitedRule reason={reason} />{' '}
          <bdi className="text-text-2">{comment}</bdi>
        </span>
      ),
    },
    {
      key: 'by',
      header: t('office.sanctions.by'),
      cell: ({ automatic, imposed_by }) =>
        automatic ? t('office.sanctions.automatic') : <bdi>{imposed_by}</bdi>,
    },
    {
      key: 'state',
      header: t('office.sanctions.state'),
      cell: (row) => <StatementState statement={row} />,
      mobile: 'end',
    },
    {
      key: 'lift',
      width: 160,
      header: t('office.sanctions.lift'),
      isUnseen: true,
      cell: (row) =>
        mayLift(row) && (
          <span className="flex flex-wrap items-center gap-2">
            <Button size={30} variant="outline" disabled={!onLift} onClick={() => onLift?.(row)}>
              {liftWord(row.kind)}
            </Button>
            {!onLift && <span className="text-text-2">{t('office.sanctions.manager_lifts')}</span>}
          </span>
        ),
    },
  ]
}

/** Until when it holds or who ended it, and what became of an appeal. */
export function StatementState({
  statement: { kind, until, ended_at, lifted_by, appeal },
}: {
  statement: StaffStatement
}) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {ended_at !== null && (
        <span className="text-text-2">
          {lifted_by === null
            ? t('office.sanctions.ended', { at: shortTime(ended_at) })
            : t('office.sanctions.lifted', { person: lifted_by })}
        </span>
      )}
      {ended_at === null && until !== null && t('office.sanctions.until', { at: shortTime(until) })}
      {ended_at === null && until === null && kind === 'ban' && t('office.sanctions.permanent')}
      {appeal && <Tag>{textOr(`office.sanctions.appeal.${appeal}`, appeal)}</Tag>}
    </span>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { StaffStatement } from '@duet/protocol'
import { statementKinds } from '@duet/protocol/kernel/rule-names.ts'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { Button } from '@duet/ui/controls/button.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { Select } from '@duet/ui/fields/select.tsx'
import { api } from '../../shared/api.ts'
import { PageHeader } from '../../shared/page-header.tsx'
import { useStaff } from '../../shared/session.tsx'
import { PagedTable } from '../../shared/table/paged-table.tsx'
import { t, textOr } from '../../shared/texts.ts'
import { useFilters } from '../../shared/use-filters.ts'
import { ImposeDialog } from '../../shared/sanctions/impose-dialog.tsx'
import { LiftDialog } from '../../shared/sanctions/lift-dialog.tsx'
import { statementColumns } from '../../shared/sanctions/statement-columns.tsx'

const PAGE = 50

/** Every ban, suspension, penalty and warning, the newest first. The filters are in the address. */
export function Statements() {
  const { role } = useStaff()
  const { value, filter } = useFilters()
  const user = value('user')
  const kind = statementKinds.find((one) => one === value('kind'))
  const [lifted, setLifted] = useState<StaffStatement>()
  const queries = useQueryClient()
  const user_id = parseId(user)
  const asked = { ...(kind && { kind }), ...(user_id && { user_id }) }
  const refresh = () => void queries.invalidateQueries({ queryKey: ['statements'] })
  return (
    <>
      <PageHeader title={t('office.nav.sanctions')}>
        <Button
          className="ms-auto"
          size={36}
          variant="secondary"
          onClick={() => filter('new', '1')}
        >
          {t('office.sanctions.new')}
        </Button>
      </PageHeader>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        <Filters kind={kind ?? 'all'} user={user} onChange={filter} />
        <PagedTable<StaffStatement>
          name="statements"
          label={t('office.nav.sanctions')}
          none={t('office.sanctions.empty')}
          queryKey={['statements', asked]}
          fetchPage={(before) =>
            api.get('v2/manager/statements', { 'per-page': PAGE, before, ...asked })
          }
          idBefore={({ id }) => id}
          rowKey={({ id }) => id}
          columns={statementColumns(role === 'moderator' ? undefined : setLifted)}
        />
      </div>
      {lifted && (
        <LiftDialog statement={lifted} onClose={() => setLifted(undefined)} onDone={refresh} />
      )}
      {value('new') !== '' && (
        <ImposeDialog user={user} onClose={() => filter('new', '')} onDone={refresh} />
      )}
    </>
  )
}

interface FiltersProps {
  kind: string
  user: string
  onChange: (name: string, value: string) => void
}

function Filters({ kind, user, onChange }: FiltersProps) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select
        className="min-w-[200px]"
        label={t('office.sanctions.kind')}
        options={[
          { value: 'all', label: t('office.sanctions.all') },
          ...statementKinds.map((value) => ({
            value: value as string,
            label: textOr(`office.statement.${value}`, value),
          })),
        ]}
        value={kind}
        onChange={(value) => onChange('kind', value === 'all' ? '' : value)}
      />
      <Field
        className="w-[160px]"
        label={t('office.sanctions.user')}
        inputMode="numeric"
        maxLength={16}
        value={user}
        onChange={(event) => onChange('user', event.target.value.trim())}
      />
    </div>
  )
}

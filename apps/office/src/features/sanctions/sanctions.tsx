import { useQueryClient } from '@tanstack/react-query'
import type { StaffStatement } from '@duet/protocol'
import { statementKinds } from '@duet/protocol/kernel/rule-names.ts'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { Button } from '@duet/ui/controls/button.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { api } from '../../shared/api.ts'
import { ChoiceFilter } from '../../shared/filters/choice-filter.tsx'
import { PageHeader } from '../../shared/page-header.tsx'
import { PagedTable } from '../../shared/table/paged-table.tsx'
import { t, textOr } from '../../shared/texts.ts'
import { useFilters } from '../../shared/use-filters.ts'
import { ImposeDialog } from '../../shared/sanctions/impose-dialog.tsx'
import { useStatementDialogs } from '../../shared/sanctions/use-statement-dialogs.tsx'

const PAGE = 50

/** Every ban, suspension, penalty and warning, the newest first. The filters are in the address. */
export function Sanctions() {
  const filters = useFilters()
  const { value, filter } = filters
  const user = value('user')
  const kind = statementKinds.find((one) => one === value('kind'))
  const queries = useQueryClient()
  const user_id = parseId(user)
  const asked = { ...(kind && { kind }), ...(user_id && { user_id }) }
  const refresh = () => void queries.invalidateQueries({ queryKey: ['statements'] })
  const { columns, dialogs } = useStatementDialogs(refresh)
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
        <Filters filters={filters} />
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
          columns={columns}
        />
      </div>
      {dialogs}
      {value('new') !== '' && (
        <ImposeDialog user={user} onClose={() => filter('new', '')} onDone={refresh} />
      )}
    </>
  )
}

function Filters({ filters }: { filters: ReturnType<typeof useFilters> }) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <ChoiceFilter
        className="min-w-[200px] max-md:flex-1"
        label={t('office.sanctions.kind')}
        all={t('office.sanctions.all')}
        options={statementKinds.map((value) => ({
          value,
          label: textOr(`office.statement.${value}`, value),
        }))}
        filters={filters}
        name="kind"
      />
      <Field
        className="w-[120px] max-md:flex-1 md:w-[160px]"
        label={t('office.sanctions.user')}
        inputMode="numeric"
        maxLength={16}
        value={filters.value('user')}
        onChange={(event) => filters.filter('user', event.target.value.trim())}
      />
    </div>
  )
}

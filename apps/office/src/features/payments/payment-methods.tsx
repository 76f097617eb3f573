import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { MethodLine } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { Tag } from '@duet/ui/controls/tag.tsx'
import { api } from '../../shared/api.ts'
import { CaseState } from '../../shared/queue/case-look.tsx'
import { PageHeader } from '../../shared/page-header.tsx'
import { t } from '../../shared/texts.ts'
import { MethodForm } from './method-form.tsx'
import './payment-texts.ts'

/** The methods of payment: which are on, and what the others lack. The method whose form is open is in the address. */
export function PaymentMethods() {
  const [params, setParams] = useSearchParams()
  const open = (method: string) => setParams({ method }, { replace: true })
  const look = useQuery({
    queryKey: ['payment-methods'],
    queryFn: () => api.get('v2/manager/payment-methods'),
  })
  const { data } = look
  const opened = data?.methods.find(
    ({ method, form }) => method === params.get('method') && form !== null,
  )
  return (
    <>
      <PageHeader title={t('office.nav.methods')} />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        {!data && <CaseState look={look} />}
        {data && data.missing.length > 0 && (
          <Banner>
            {t('office.method.missing')} <Code text={data.missing.join(', ')} />
          </Banner>
        )}
        {data?.methods.length === 0 && (
          <EmptyState title={t('office.method.empty')} text={t('office.method.empty_text')} />
        )}
        <ul aria-label={t('office.nav.methods')} className="flex max-w-[880px] flex-col">
          {data?.methods.map((line) => (
            <MethodRow key={line.method} line={line} onOpen={() => open(line.method)} />
          ))}
        </ul>
      </div>
      {opened && (
        <MethodForm
          key={opened.method}
          line={opened}
          onClose={() => setParams({}, { replace: true })}
        />
      )}
    </>
  )
}

function MethodRow({ line, onOpen }: { line: MethodLine; onOpen: () => void }) {
  const { method, lacks, form, preview } = line
  const isMistaken = preview !== null && preview.mistakes.length > 0
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-hair py-3">
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
        <h2 className="flex items-center gap-2 font-medium">
          <bdi>{method}</bdi>
          <Tag tone={lacks === null ? 'ok' : 'plain'}>
            {lacks === null ? t('office.method.on') : t('office.method.off')}
          </Tag>
          {isMistaken && <Tag tone="danger">{t('office.method.mistaken')}</Tag>}
        </h2>
        {lacks !== null && (
          <p className="text-text-2">
            {t('office.method.lacks')} <Code text={lacks} />
          </p>
        )}
      </div>
      {form !== null && (
        <Button
          size={36}
          variant="secondary"
          aria-label={t('office.method.open', { method })}
          onClick={onOpen}
        >
          {t('office.method.form')}
        </Button>
      )}
    </li>
  )
}

/** Names of variables, settings and commands. */
function Code({ text }: { text: string }) {
  return (
    <code dir="ltr" className="font-mono break-words">
      {text}
    </code>
  )
}

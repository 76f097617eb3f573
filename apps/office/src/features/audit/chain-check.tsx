import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { msg, t } from '../../shared/texts.ts'

const HASH = /^[0-9a-f]{64}$/
const FAULTS_SHOWN = 20
const FAULTS = {
  missing: msg('office.audit.fault.missing'),
  changed: msg('office.audit.fault.changed'),
  wrong_predecessor: msg('office.audit.fault.wrong_predecessor'),
}
const KEPT_HEADS = {
  none: msg('office.audit.kept_none'),
  stale: msg('office.audit.kept_stale'),
  missing: msg('office.audit.kept_missing'),
  forged: msg('office.audit.kept_forged'),
}

/** Verifies the whole log. A hash that was noted after an earlier check shows a cut-off end too. */
export function ChainCheck() {
  const [noted, setNoted] = useState('')
  const head = noted.trim().toLowerCase()
  const isWrong = head !== '' && !HASH.test(head)
  const check = useMutation({
    mutationFn: () => api.get('v2/manager/audit/verify', head === '' ? {} : { head }),
  })
  return (
    <section aria-label={t('office.audit.verify')} className="flex flex-col gap-3">
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isWrong) check.mutate()
        }}
      >
        <Field
          className="min-w-[220px] flex-1"
          label={t('office.audit.head')}
          value={noted}
          maxLength={80}
          error={isWrong ? t('office.audit.head_wrong') : undefined}
          onChange={(event) => setNoted(event.target.value)}
        />
        <Button type="submit" size={44} variant="secondary" busy={check.isPending}>
          {t('office.audit.verify')}
        </Button>
      </form>
      {check.error && <Banner tone="danger">{errorSentence(check.error)}</Banner>}
      {check.data && <Result {...check.data} />}
    </section>
  )
}

function Result({
  ok,
  entries,
  head,
  faults,
  has_noted_head,
  kept_head,
}: Answer<'GET v2/manager/audit/verify'>) {
  if (ok)
    return (
      <Banner tone="ok">
        {t('office.audit.whole', { count: entries })} <code className="break-all">{head}</code>
      </Banner>
    )
  return (
    <Banner tone="danger">
      {has_noted_head === false && <p>{t('office.audit.cut')}</p>}
      {kept_head !== 'found' && <p>{t(KEPT_HEADS[kept_head])}</p>}
      {faults.length > 0 && (
        <>
          <p>{t('office.audit.faults')}</p>
          <ul className="list-disc ps-5">
            {faults.slice(0, FAULTS_SHOWN).map(({ entry_id, fault }) => (
              <li key={`${entry_id} ${fault}`}>{t(FAULTS[fault], { id: entry_id })}</li>
            ))}
          </ul>
        </>
      )}
    </Banner>
  )
}

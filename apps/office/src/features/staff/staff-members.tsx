import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { StaffMember } from '@duet/protocol'
import { staffRoles, type StaffRole } from '@duet/protocol/kernel/who.ts'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { Select } from '@duet/ui/fields/select.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { PageHeader } from '../../shared/page-header.tsx'
import { useProof } from '../../shared/prove/prove.tsx'
import { useStaff } from '../../shared/session.tsx'
import { t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'

interface Change {
  readonly email: string
  readonly role: StaffRole | null
  readonly new_link?: boolean
}

/** The members of staff: invite, change a role, let one set up again, end. */
export function StaffMembers() {
  const queries = useQueryClient()
  const proof = useProof()
  const { data, error } = useQuery({
    queryKey: ['staff'],
    queryFn: () => api.get('v2/manager/staff'),
  })
  const [reason, setReason] = useState('')
  const change = useMutation({
    mutationFn: (given: Change) =>
      proof.with(() => api.post('v2/manager/staff', { ...given, reason: reason.trim() })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['staff'] }),
  })
  const [isMissing, setMissing] = useState(false)
  // Every change of staff has its reason in the audit log.
  const apply = (given: Change) => {
    setMissing(reason.trim() === '')
    if (reason.trim() !== '') change.mutate(given)
  }
  const problem = change.error ?? error
  return (
    <>
      <PageHeader title={t('office.nav.staff')} />
      <div className="flex max-w-[880px] flex-col gap-5 overflow-y-auto p-4">
        {problem && <Banner tone="danger">{errorSentence(problem)}</Banner>}
        {change.data?.link && (
          <Banner tone="ok">
            {t('office.staff.link')} <code className="break-all">{change.data.link}</code>
          </Banner>
        )}
        {change.data?.link === null && change.variables?.new_link && (
          <Banner tone="ok">{t('office.staff.mailed', { email: change.variables.email })}</Banner>
        )}
        <Field
          label={t('office.audit.reason')}
          help={t('office.staff.reason_help')}
          error={isMissing ? t('office.staff.no_reason') : undefined}
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <Invitation isBusy={change.isPending} onInvite={apply} />
        <ul className="flex flex-col">
          {data?.staff.map((member) => (
            <Member key={member.id} member={member} onChange={apply} />
          ))}
        </ul>
      </div>
    </>
  )
}

const roleOptions = () =>
  staffRoles.map((value) => ({ value, label: textOr(`office.role.${value}`, value) }))

function Invitation({ isBusy, onInvite }: { isBusy: boolean; onInvite: (change: Change) => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<StaffRole>('moderator')
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onInvite({ email, role })
      }}
    >
      <Field
        className="min-w-[220px] flex-1"
        label={t('word.email')}
        type="email"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Select
        className="min-w-[160px]"
        label={t('office.staff.role')}
        options={roleOptions()}
        value={role}
        onChange={setRole}
      />
      <Button type="submit" variant="primary" size={44} busy={isBusy}>
        {t('office.staff.invite')}
      </Button>
    </form>
  )
}

function Member({
  member: { email, role, last_visit },
  onChange,
}: {
  member: StaffMember
  onChange: (change: Change) => void
}) {
  const own = useStaff()
  const [isEnding, setEnding] = useState(false)
  return (
    <li className="flex flex-wrap items-end gap-3 border-b border-hair py-3">
      <div className="min-w-[200px] flex-1">
        <div className="font-medium">{email}</div>
        <div className="text-text-2">
          {last_visit
            ? t('office.device.used', { time: shortTime(last_visit) })
            : t('office.staff.never')}
        </div>
      </div>
      {email === own.email ? (
        <span className="text-text-2">{t('word.you')}</span>
      ) : (
        <>
          <Select
            className="w-[160px]"
            label={t('office.staff.role')}
            options={roleOptions()}
            value={role}
            onChange={(value) => onChange({ email, role: value })}
          />
          <Button
            size={36}
            variant="outline"
            onClick={() => onChange({ email, role, new_link: true })}
          >
            {t('office.staff.new_link')}
          </Button>
          <Button
            size={36}
            variant="danger-quiet"
            onClick={() => (isEnding ? onChange({ email, role: null }) : setEnding(true))}
          >
            {isEnding ? t('office.staff.end_sure') : t('office.staff.end')}
          </Button>
        </>
      )}
    </li>
  )
}

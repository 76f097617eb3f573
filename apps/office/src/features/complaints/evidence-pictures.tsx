import { EyeIcon, EyeSlashIcon } from '@phosphor-icons/react'
import { useState } from 'react'
import type { ComplaintCase } from '@duet/protocol'
import { Button } from '@duet/ui/controls/button.tsx'
import { KeyCap } from '@duet/ui/controls/key-cap.tsx'
import { cx } from '@duet/ui/class-names.ts'
import { useKeys } from '../../shared/keys/use-keys.ts'
import { msg, t } from '../../shared/texts.ts'

const SIDES = {
  accused: msg('office.evidence.accused'),
  complainer: msg('office.evidence.complainer'),
  seen: msg('office.evidence.seen'),
} as const
type Side = keyof typeof SIDES

/** The frames of both sides, blurred and grey until the moderator shows them. */
export function EvidencePictures({ shown }: { shown: ComplaintCase }) {
  const [isClear, setClear] = useState(false)
  const toggle = () => setClear(!isClear)
  useKeys({ ' ': toggle, b: toggle })
  const pictures = shown.evidence.filter(({ kind }) => kind !== 'record')
  if (pictures.length === 0) return <p className="text-text-2">{t('office.evidence.none')}</p>
  return (
    <section aria-label={t('office.evidence.title')} className="flex flex-col gap-2">
      <Button
        className="self-end"
        size={36}
        variant="secondary"
        aria-pressed={isClear}
        icon={isClear ? <EyeSlashIcon size={18} /> : <EyeIcon size={18} />}
        onClick={toggle}
      >
        {isClear ? t('office.evidence.hide') : t('office.evidence.show')} <KeyCap>Space</KeyCap>
      </Button>
      <div className="grid gap-2 md:grid-cols-2 xl:grid-cols-3">
        {pictures.map(({ kind, sealed }) => (
          <figure key={kind} className="relative overflow-hidden rounded-field bg-surface-2">
            <img
              alt={t(SIDES[kind as Side])}
              className={cx('aspect-[4/3] w-full object-contain', !isClear && 'veiled')}
              src={`/api/v2/manager/complaints/${shown.complaint.id}/evidence/${kind}`}
            />
            <figcaption className="absolute start-2 top-2 rounded-tag bg-black/70 px-2 py-0.5">
              {t(SIDES[kind as Side])}
              {sealed && ` · ${t('office.evidence.sealed')}`}
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  )
}

import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { useState } from 'react'
import type { Media } from '@duet/protocol'
import { Viewer } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useBackEntry } from '../../../shared/navigation/back-entries.ts'

/** A photo of the thread; a press shows it over the whole screen. A locked one is blurred and stays so. */
export function PhotoInThread({ media }: { media: Media }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  useBackEntry(isOpen, close)
  const { url, width, height, locked } = media
  const picture = (
    <img
      src={url ?? undefined}
      alt={locked ? '' : t('messenger.image.alt')}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      className="block max-h-80 w-auto max-w-full object-cover"
    />
  )
  if (locked)
    return (
      <span className="relative block">
        {picture}
        <span className="absolute inset-0 flex flex-col items-center justify-center gap-2 bg-[rgb(15_11_10/.5)] text-white">
          <LockSimpleIcon size={28} weight="fill" />
          <span className="note">{t('messenger.image.premium')}</span>
        </span>
      </span>
    )
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-label={t('messenger.image.open')}
        className="block"
      >
        {picture}
      </button>
      <Viewer
        open={isOpen}
        onClose={close}
        label={t('messenger.image.alt')}
        labels={{
          close: t('messenger.image.close'),
          previous: t('messenger.image.previous'),
          next: t('messenger.image.next'),
        }}
      >
        <img
          src={url ?? undefined}
          alt={t('messenger.image.alt')}
          className="max-h-full max-w-full object-contain"
        />
      </Viewer>
    </>
  )
}

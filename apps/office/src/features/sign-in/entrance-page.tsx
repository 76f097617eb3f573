import type { ReactNode } from 'react'
import { Mark } from '@duet/ui/brand/mark.tsx'
import { t } from '../../shared/texts.ts'

/** A narrow page outside the frame. */
export function EntrancePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="flex w-full max-w-[400px] flex-col gap-6 rounded-panel bg-surface-1 p-6 shadow-[inset_0_0_0_1px_var(--hair)]">
        <header className="flex items-center gap-3">
          <Mark size={28} />
          <span className="font-semibold">{t('office.name')}</span>
        </header>
        <h1 className="text-[calc(20rem/16)] leading-[1.3] font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  )
}

import { Button } from './button.tsx'

export interface SaveBarProps {
  isChanged: boolean
  busy: boolean
  labels: { save: string; discard: string; unsaved: string }
  onDiscard: () => void
}

/** The buttons of a form, pinned to the lower edge of the window while something is changed and not saved. */
export function SaveBar({ isChanged, busy, labels, onDiscard }: SaveBarProps) {
  return (
    <div aria-live="polite" className="contents">
      {isChanged ? (
        <div className="sticky bottom-[calc(56px+env(safe-area-inset-bottom)+12px)] z-sticky mt-1 flex items-center gap-2.5 rounded-row bg-surface-3 p-2.5 ps-4 shadow-[inset_0_0_0_1px_var(--hair-2),var(--elevation-2)] md:bottom-5">
          <span className="note min-w-0 flex-1 text-text-2">{labels.unsaved}</span>
          <Button variant="quiet" onClick={onDiscard} disabled={busy}>
            {labels.discard}
          </Button>
          <Button type="submit" variant="primary" busy={busy}>
            {labels.save}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

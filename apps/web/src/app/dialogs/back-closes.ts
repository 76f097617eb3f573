import { useEffect } from 'react'
import { backEntries, type BackEntry } from '../../shared/navigation/back-entries.ts'
import { dialogs } from '../../shared/dialogs.ts'

const NARROW_SCREEN_PX = 768

/** The history entries of the open dialogs. The entry of the top dialog is the last. */
const dialogEntries: BackEntry[] = []

/**
 * Removes the entry of a closed dialog before the dialog's answer is returned. If Back has already removed the entry,
 * does nothing.
 */
async function onDialogClose(): Promise<void> {
  if (dialogs.getSnapshot().length < dialogEntries.length)
    await backEntries.remove(dialogEntries.pop()!)
}

async function onDialogOpen(): Promise<void> {
  if (innerWidth > NARROW_SCREEN_PX || dialogs.getSnapshot().length <= dialogEntries.length) return
  const entry: BackEntry = {
    onBack() {
      dialogEntries.splice(dialogEntries.indexOf(entry), 1)
      dialogs.closeTop()
    },
  }
  dialogEntries.push(entry)
  await backEntries.add(entry)
}

/** On a narrow screen Back closes the top dialog and does not leave the page. `topKey` is the key of the top dialog. */
export function useBackCloses(topKey: number | undefined): void {
  useEffect(() => {
    addEventListener('popstate', backEntries.onPopState)
    dialogs.onClose(onDialogClose)
    return () => removeEventListener('popstate', backEntries.onPopState)
  }, [])
  useEffect(() => {
    if (topKey !== undefined) void onDialogOpen()
  }, [topKey])
}

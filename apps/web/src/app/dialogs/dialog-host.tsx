import { Suspense, useDeferredValue, type ComponentType } from 'react'
import {
  dialogs,
  useDialogStack,
  type DialogName,
  type OpenDialog,
  type OpenDialogProps,
} from '../../shared/dialogs.ts'
import { Boundary } from '../errors/boundary.tsx'
import { features } from '../features.ts'
import { useBackCloses } from './back-closes.ts'
import { useExitTransition } from './use-exit-transition.ts'

/**
 * The component of every dialog. A component loads when its dialog first opens, or earlier by its feature's `preload`.
 */
const screens = Object.assign({}, ...features.map((feature) => feature.dialogs)) as Record<
  DialogName,
  ComponentType<OpenDialogProps<DialogName>>
>

/** Every open dialog, in the order in which they were opened. */
export function DialogHost() {
  // Deferred: React draws a new dialog in pieces, between which the page reacts.
  const stack = useDeferredValue(useDialogStack())
  useBackCloses(stack.at(-1)?.key)
  const shown = useExitTransition(stack)
  return (
    <>
      {shown.map(({ dialog, open }) => (
        // If a dialog cannot be loaded, the dialog closes without an answer. The calling code continues, and other
        // dialogs work.
        <Boundary key={dialog.key} fallback={null} onBroken={() => dialogs.close(dialog.key)}>
          <Suspense fallback={null}>
            <DialogScreen dialog={dialog} open={open} />
          </Suspense>
        </Boundary>
      ))}
    </>
  )
}

function DialogScreen({ dialog, open }: { dialog: OpenDialog; open: boolean }) {
  const Screen = screens[dialog.name]
  return (
    <Screen
      input={dialog.input}
      open={open}
      close={(answer) => dialogs.close(dialog.key, answer)}
    />
  )
}

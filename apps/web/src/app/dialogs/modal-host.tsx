import { Suspense, type ComponentType } from 'react'
import {
  dialogs,
  useDialogStack,
  type DialogName,
  type OpenDialogProps,
  type OpenDialog,
} from '../../shared/dialogs.ts'
import { useBackCloses } from './back-closes.ts'
import { registry } from './registry.ts'
import { useExitTransition } from './use-exit-transition.ts'

/** Every dialog that is open, in the order in which they were opened. */
export function ModalHost() {
  const stack = useDialogStack()
  useBackCloses(stack.at(-1)?.key)
  const shown = useExitTransition(stack)
  return (
    <Suspense fallback={null}>
      {shown.map(({ modal, open }) => (
        <One key={modal.key} modal={modal} open={open} />
      ))}
    </Suspense>
  )
}

function One({ modal, open }: { modal: OpenDialog; open: boolean }) {
  const Modal = registry[modal.name] as ComponentType<OpenDialogProps<DialogName>>
  return (
    <Modal input={modal.input} open={open} close={(answer) => dialogs.close(modal.key, answer)} />
  )
}

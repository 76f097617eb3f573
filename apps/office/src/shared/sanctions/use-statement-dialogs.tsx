import { useState } from 'react'
import type { StaffStatement } from '@duet/protocol'
import { useStaff } from '../session.tsx'
import { LiftDialog } from './lift-dialog.tsx'
import { statementColumns } from './statement-columns.tsx'
import { StatementDialog } from './statement-dialog.tsx'

/** The columns of a table of statements, and the dialogs that they open. A moderator takes no act back. */
export function useStatementDialogs(onDone: () => void) {
  const { role } = useStaff()
  const [lifted, setLifted] = useState<StaffStatement>()
  const [opened, setOpened] = useState<StaffStatement>()
  const mayLift = role !== 'moderator'
  const lift = () => {
    setOpened(undefined)
    setLifted(opened)
  }
  return {
    columns: statementColumns({ onOpen: setOpened, onLift: mayLift ? setLifted : undefined }),
    dialogs: (
      <>
        {opened && (
          <StatementDialog
            statement={opened}
            onLift={mayLift ? lift : undefined}
            onClose={() => setOpened(undefined)}
          />
        )}
        {lifted && (
          <LiftDialog statement={lifted} onClose={() => setLifted(undefined)} onDone={onDone} />
        )}
      </>
    ),
  }
}

import { createContext, type ReactNode } from 'react'
import { Toolbar as BaseToolbar } from '@base-ui/react/toolbar'

export const InToolbarContext = createContext(false)

export interface ToolbarProps {
  label: string
  vertical?: boolean
  className?: string
  children: ReactNode
}

/** Controls with one place in the tab order; the arrow keys move between them. A disabled control keeps the focus. */
export function Toolbar({ label, vertical = false, className, children }: ToolbarProps) {
  return (
    <BaseToolbar.Root
      aria-label={label}
      orientation={vertical ? 'vertical' : 'horizontal'}
      className={className}
    >
      <InToolbarContext value>{children}</InToolbarContext>
    </BaseToolbar.Root>
  )
}

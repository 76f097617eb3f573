import type { ComponentProps } from 'react'

type FileInputProps = Pick<
  ComponentProps<'input'>,
  'ref' | 'accept' | 'multiple' | 'capture' | 'aria-label'
> & { readonly onFiles: (files: readonly File[]) => unknown }

/** The browser's choice of files, out of sight. A button opens it: `input.current?.click()`. */
export function FileInput({ onFiles, ...input }: FileInputProps) {
  return (
    <input
      {...input}
      type="file"
      tabIndex={-1}
      aria-hidden={input['aria-label'] ? undefined : true}
      className="sr-only"
      onChange={({ currentTarget }) => {
        void onFiles([...(currentTarget.files ?? [])])
        // Choosing the same file again is a change too.
        currentTarget.value = ''
      }}
    />
  )
}

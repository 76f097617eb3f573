import { expect, test } from 'vitest'
import { withoutEffects } from './router-parts-plugin.ts'

test('an unused component has no effect of its own', () => {
  const code = 'const Form = React$1.forwardRef((props) => props);\nForm.displayName = "Form";\n'
  expect(withoutEffects(code)).toBe(
    'const Form = /* @__PURE__ */ React$1.forwardRef((props) => props);\n\n',
  )
})

test('statements inside a function stay', () => {
  const code = 'function make() {\n\tForm.displayName = "Form";\n\tconst a = React.memo(Form);\n}'
  expect(withoutEffects(code)).toBe(code)
})

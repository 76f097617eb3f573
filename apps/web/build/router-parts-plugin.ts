import type { Plugin } from 'vite'

const ROUTER = /\/react-router\/dist\//
const DISPLAY_NAME = /^\w+\.displayName = "[^"\n]*";$/gm
const COMPONENT =
  /^((?:const|var|let) \w+ = )(React(?:\$\d+)?\.(?:forwardRef|memo|createContext)\()/gm

/**
 * The router without its unused components, such as forms. Each component sets its display name when the module is
 * evaluated. So the bundler would keep the component and everything that it calls.
 */
export function routerPartsPlugin(): Plugin {
  return {
    name: 'duet:router-parts',
    apply: 'build',
    transform: (code, id) => (ROUTER.test(id) ? withoutEffects(code) : undefined),
  }
}

/** Removes statements for debugging tools only. Marks definitions as free of effects. */
export function withoutEffects(code: string): string {
  return code.replace(DISPLAY_NAME, '').replace(COMPONENT, '$1/* @__PURE__ */ $2')
}

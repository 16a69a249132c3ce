; SPDX-License-Identifier: Apache-2.0
[(block) (parens) (brackets) (parameters) (import_list)] @indent
["}" ")" "]"] @outdent

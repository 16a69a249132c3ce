; SPDX-License-Identifier: Apache-2.0
[(block) (parens) (brackets) (parameters) (type_item) (import_list)] @fold

; SPDX-License-Identifier: Apache-2.0
(function body: (_) @function.inside) @function.around
(space body: (_) @function.inside) @function.around
(test body: (_) @test.inside) @test.around
(property body: (_) @test.inside) @test.around
(type_item) @class.around
(parameter) @parameter.around
[(comment) (doc_comment)]+ @comment.around
